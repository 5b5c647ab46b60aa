// One connection that stays open, with one request under way at a time, and a reader of answers that knows no more of
// HTTP than status and content-length. Client, service and database share the machine's cores, so what the client uses
// is taken from them.
import { connect } from 'node:net';
import type { Socket } from 'node:net';

const END_OF_HEAD = '\r\n\r\n';
const CONTENT_LENGTH = 'content-length: ';
const NO_CONTENT = 204;
// "HTTP/1.1 201"
const STATUS_AT = 9;
const ZERO = 0x30;

/** The bytes of a whole answer; its body begins at bodyStart. */
export type OnAnswer = (status: number, bytes: Buffer, bodyStart: number) => void;

export class HttpConnection {
  readonly #socket: Socket;
  #rest: Buffer | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
  }

  static open(port: number): Promise<HttpConnection> {
    return new Promise((resolve, reject) => {
      const socket = connect({ host: '127.0.0.1', port, noDelay: true });
      socket.once('error', reject);
      socket.once('connect', () => {
        socket.off('error', reject);
        resolve(new HttpConnection(socket));
      });
    });
  }

  /** Hands over every answer; a connection that breaks or ends is a failure. */
  listen(onAnswer: OnAnswer, onFailure: (error: Error) => void): void {
    this.#socket.on('data', (chunk) => {
      try {
        this.#read(chunk, onAnswer);
      } catch (error) {
        onFailure(error as Error);
      }
    });
    this.#socket.on('error', onFailure);
    this.#socket.on('end', () => onFailure(new Error('the service closed a connection')));
  }

  send(request: Buffer | string): void {
    this.#socket.write(request, 'latin1');
  }

  close(): void {
    this.#socket.removeAllListeners('end');
    this.#socket.destroy();
  }

  #read(chunk: Buffer, onAnswer: OnAnswer): void {
    const bytes = this.#rest === undefined ? chunk : Buffer.concat([this.#rest, chunk]);
    const headEnd = bytes.indexOf(END_OF_HEAD);
    const bodyStart = headEnd + END_OF_HEAD.length;
    if (headEnd === -1 || bytes.length < bodyStart + lengthOfBody(bytes, headEnd)) {
      this.#rest = bytes;
      return;
    }
    this.#rest = undefined;
    onAnswer(statusOf(bytes), bytes, bodyStart);
  }
}

const digitAt = (bytes: Buffer, at: number): number => (bytes[at] ?? 0) - ZERO;

const statusOf = (bytes: Buffer): number =>
  digitAt(bytes, STATUS_AT) * 100 + digitAt(bytes, STATUS_AT + 1) * 10 + digitAt(bytes, STATUS_AT + 2);

function lengthOfBody(bytes: Buffer, headEnd: number): number {
  const start = bytes.indexOf(CONTENT_LENGTH, STATUS_AT, 'latin1');
  if (start === -1 || start > headEnd) {
    if (statusOf(bytes) === NO_CONTENT) return 0;
    throw new Error(`an answer has no content-length: ${bytes.toString('latin1', 0, headEnd)}`);
  }
  let length = 0;
  for (let at = start + CONTENT_LENGTH.length; (bytes[at] ?? 0) >= ZERO; at += 1)
    length = length * 10 + digitAt(bytes, at);
  return length;
}
