// A wire between a service and its Postgres that can be cut at a chosen moment of a chosen statement. It knows just
// enough of the protocol to see which prepared statement a connection is about to run.
import { createServer, connect } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { once } from 'node:events';

/**
 * The statements of the group calls by their names, or by what these begin with before an underscore; and the end of a
 * transaction in which a webhook is made.
 */
export type Hot = 'load' | 'commit' | 'find_marks' | 'commit of a webhook';

/**
 * before: nothing of the statement reaches the server. within: half of it does. after: the server has done it, its
 * answer is lost. late: the connection is cut at once, and the server gets the statement only afterwards.
 */
export type Cut = 'before' | 'within' | 'after' | 'late';

/** How long a late statement is held back: longer than the first pause before a commit is run again. */
const LATE_MS = 120;

export class Wire {
  readonly url: string;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #cuts: { readonly statement: Hot; readonly cut: Cut; readonly done: () => void }[] = [];
  #isDown = false;

  private constructor(url: string, server: Server) {
    this.url = url;
    this.#server = server;
  }

  static async open(databaseUrl: string): Promise<Wire> {
    const far = new URL(databaseUrl);
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const near = new URL(databaseUrl);
    near.hostname = '127.0.0.1';
    near.port = String((server.address() as AddressInfo).port);
    const wire = new Wire(near.href, server);
    server.on('connection', (client) => wire.#join(client, connect(Number(far.port || 5432), far.hostname)));
    return wire;
  }

  /** Cuts the next run of that statement, on whatever connection; resolves when it has happened. */
  cutNext(statement: Hot, cut: Cut): Promise<void> {
    return new Promise((done) => this.#cuts.push({ statement, cut, done }));
  }

  /** Cuts every connection and lets nobody connect until it is mended. */
  down(): void {
    this.#isDown = true;
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  mend(): void {
    this.#isDown = false;
  }

  /** Forgets the cuts that have not come about. */
  calm(): void {
    this.#cuts.length = 0;
  }

  async close(): Promise<void> {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await once(this.#server, 'close');
  }

  #join(client: Socket, server: Socket): void {
    if (this.#isDown) {
      client.resetAndDestroy();
      server.destroy();
      return;
    }
    let [isMuted, hasMadeWebhook] = [false, false];
    for (const socket of [client, server]) {
      this.#sockets.add(socket);
      socket.setNoDelay();
      socket.on('error', () => {});
      socket.on('close', () => this.#sockets.delete(socket));
    }
    client.on('data', (bytes) => {
      hasMadeWebhook ||= bytes.includes('insert into webhooks');
      const cut = this.#takeCut(bytes, hasMadeWebhook);
      if (cut === undefined) server.write(bytes);
      else {
        isMuted = true;
        this.#perform(cut.cut, bytes, client, server);
        cut.done();
      }
    });
    server.on('data', (bytes) => {
      if (!isMuted) client.write(bytes);
    });
    client.on('close', () => isMuted || server.destroy());
    server.on('close', () => client.destroy());
  }

  /** A bind message names the portal, which is empty, and then the prepared statement; a query ends with its text. */
  #takeCut(bytes: Buffer, hasMadeWebhook: boolean) {
    const index = this.#cuts.findIndex(({ statement }) =>
      statement === 'commit of a webhook'
        ? hasMadeWebhook && bytes.includes('\x0bcommit\0')
        : bytes.includes(`\0${statement}\0`) || bytes.includes(`\0${statement}_`),
    );
    return index === -1 ? undefined : this.#cuts.splice(index, 1)[0];
  }

  #perform(cut: Cut, bytes: Buffer, client: Socket, server: Socket): void {
    switch (cut) {
      case 'before':
        client.resetAndDestroy();
        server.destroy();
        break;
      case 'within':
        server.end(bytes.subarray(0, bytes.length / 2));
        client.resetAndDestroy();
        break;
      case 'after':
        // The first bytes that come back say that the statement was executed; the last, that it was committed.
        server.write(bytes);
        server.on('data', (answer) => {
          if (!isReady(answer)) return;
          client.resetAndDestroy();
          server.destroy();
        });
        break;
      case 'late':
        client.resetAndDestroy();
        setTimeout(() => server.end(bytes), LATE_MS);
        break;
    }
  }
}

/** Ends with ReadyForQuery outside of a transaction: Z, length 5, I. */
const isReady = (answer: Buffer): boolean => answer.subarray(-6).equals(Buffer.from([0x5a, 0, 0, 0, 5, 0x49]));
