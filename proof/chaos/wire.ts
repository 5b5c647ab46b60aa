// A wire between two programs that can be cut, slowed down, stalled and made deaf. It knows nothing of what it carries.
// What is held back while it is stalled still arrives afterwards, also when its sender has given up meanwhile: that is
// how a request comes late.
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export type Weather =
  | { readonly kind: 'fair' }
  /** Nothing gets through, and what was connected is not any more. */
  | { readonly kind: 'cut' }
  /** Everything takes so much longer, each way. */
  | { readonly kind: 'slow'; readonly ms: number }
  /** Nothing moves; it goes on later. */
  | { readonly kind: 'stalled' }
  /** Requests arrive, answers do not; at its end the connections break. */
  | { readonly kind: 'deaf' };

const FAIR: Weather = { kind: 'fair' };

type Connection = { readonly near: Socket; readonly far: Socket; hasLost: boolean };

export class Wire {
  readonly #server: Server;
  readonly #connections = new Set<Connection>();
  #target: number | undefined;
  #weather: Weather = FAIR;
  /** Settles when a stalled wire moves again. */
  #moving: PromiseWithResolvers<void> = Promise.withResolvers();

  private constructor(server: Server) {
    this.#server = server;
    this.#moving.resolve();
    server.on('connection', (near) => this.#join(near));
  }

  static async open(): Promise<Wire> {
    const server = createServer({ noDelay: true }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new Wire(server);
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Where it leads from now on; undefined: nowhere, since nobody is there. */
  lead(port: number | undefined): void {
    this.#target = port;
  }

  set(weather: Weather): void {
    const before = this.#weather;
    this.#weather = weather;
    if (before.kind === 'stalled') this.#moving.resolve();
    if (weather.kind === 'stalled') this.#moving = Promise.withResolvers();
    for (const connection of this.#connections)
      if (weather.kind === 'cut' || connection.hasLost) this.#break(connection);
  }

  async close(): Promise<void> {
    this.set({ kind: 'cut' });
    this.#server.close();
    await once(this.#server, 'close');
  }

  #join(near: Socket): void {
    near.on('error', () => {});
    if (this.#weather.kind === 'cut' || this.#target === undefined) {
      near.resetAndDestroy();
      return;
    }
    const far = connect({ port: this.#target, host: '127.0.0.1', noDelay: true });
    far.on('error', () => {});
    const connection: Connection = { near, far, hasLost: false };
    this.#connections.add(connection);
    far.on('close', () => this.#connections.delete(connection));
    this.#carry(near, far, () => false);
    this.#carry(far, near, () => {
      const isLost = this.#weather.kind === 'deaf';
      connection.hasLost ||= isLost;
      return isLost;
    });
  }

  #carry(from: Socket, to: Socket, isLost: () => boolean): void {
    let last = Promise.resolve();
    const then = (deliver: () => void): void => {
      const { kind } = this.#weather;
      const ms = this.#weather.kind === 'slow' ? this.#weather.ms : 0;
      last = last.then(async () => {
        if (kind === 'slow') await sleep(ms);
        await this.#moving.promise;
        deliver();
      });
    };
    from.on('data', (chunk: Buffer) => {
      if (isLost()) return;
      then(() => {
        if (!to.destroyed) to.write(chunk);
      });
    });
    from.on('close', () => then(() => to.end(() => to.destroy())));
  }

  #break({ near, far }: Connection): void {
    near.destroy();
    far.destroy();
  }
}
