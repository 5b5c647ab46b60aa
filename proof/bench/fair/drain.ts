// A connection of somebody who does not care for answers: their statuses are counted and their bodies dropped as they
// come, however large they are, so that reading costs this process next to nothing.
import { connect } from 'node:net';
import type { Socket } from 'node:net';

const END_OF_HEAD = '\r\n\r\n';
const LONGEST_HEAD = 65_536;

export type OnStatus = (status: number) => void;

export class Drain {
  readonly #socket: Socket;
  readonly #onStatus: OnStatus;
  #head = '';
  #bodyLeft = 0;

  constructor(port: number, onStatus: OnStatus, onEnd: () => void) {
    this.#onStatus = onStatus;
    this.#socket = connect({ host: '127.0.0.1', port, noDelay: true });
    this.#socket.on('error', () => {});
    this.#socket.on('close', onEnd);
    this.#socket.on('data', (chunk) => this.#read(chunk));
  }

  send(request: Uint8Array): void {
    this.#socket.write(request);
  }

  /** From now on nothing is taken from the connection. */
  stopReading(): void {
    this.#socket.removeAllListeners('data');
    this.#socket.pause();
  }

  close(): void {
    this.#socket.destroy();
  }

  #read(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length) {
      if (this.#bodyLeft > 0) {
        const taken = Math.min(this.#bodyLeft, chunk.length - at);
        this.#bodyLeft -= taken;
        at += taken;
      } else {
        const before = this.#head.length;
        this.#head += chunk.toString('latin1', at, Math.min(chunk.length, at + LONGEST_HEAD));
        const end = this.#head.indexOf(END_OF_HEAD, Math.max(0, before - END_OF_HEAD.length));
        if (end === -1) {
          if (this.#head.length >= LONGEST_HEAD) this.#socket.destroy();
          return;
        }
        at += end + END_OF_HEAD.length - before;
        this.#bodyLeft = lengthIn(this.#head.slice(0, end));
        this.#answered();
        continue;
      }
      if (this.#bodyLeft === 0) this.#done();
    }
  }

  #status = 0;

  #answered(): void {
    this.#status = Number(this.#head.slice(9, 12));
    this.#head = '';
    if (this.#bodyLeft === 0) this.#done();
  }

  #done(): void {
    this.#onStatus(this.#status);
  }
}

/** An answer that does not say how long it is goes on until the connection ends. */
function lengthIn(head: string): number {
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length !== undefined) return Number(length);
  return /^HTTP\/1.1 (?:204|304)/.test(head) ? 0 : Infinity;
}
