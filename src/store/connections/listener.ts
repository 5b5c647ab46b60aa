// The one connection of a process on which the database tells it what others have done: a session of its own, for which
// nobody waits. Notices sent while it is away are lost, so nothing may depend on them.
import pg from 'pg';
import { LISTENER_NAME } from './announce.ts';
import { cut } from './backends.ts';
import { openServers } from './servers.ts';
import type { Servers } from './servers.ts';

const RECONNECT_PAUSE_MS = 1_000;
const CONNECT_TIMEOUT_MS = 5_000;

export type Hearing = {
  /** `answer` runs a statement on the connection. */
  readonly onNotice: (payload: string, answer: (text: string) => void) => void;
  /** Notices may have been lost: the connection has ended, or is there again. */
  readonly onGap: () => void;
};

export class Listener {
  readonly #servers: Servers;
  readonly #hearings = new Map<string, Hearing>();
  #client: pg.Client | undefined;
  #isListening = false;
  #isClosed = false;

  constructor(url: string) {
    this.#servers = openServers(url);
    // A server that hangs would not tell that nothing is heard from it any more.
    this.#servers.onMove(() => {
      if (this.#client) cut(this.#client);
    });
  }

  /** To be called before it listens. */
  hear(channel: string, hearing: Hearing): void {
    this.#hearings.set(channel, hearing);
  }

  get isListening(): boolean {
    return this.#isListening;
  }

  /** Goes on trying when the connection breaks. */
  async listen(): Promise<void> {
    if (this.#isClosed) return;
    const client = new pg.Client({
      connectionString: this.#servers.current(),
      application_name: LISTENER_NAME,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
    });
    client.on('notification', ({ channel, payload = '' }) =>
      this.#hearings.get(channel)?.onNotice(payload, (text) => void client.query(text).catch(() => {})),
    );
    client.on('error', () => {});
    client.on('end', () => {
      const wasListening = this.#isListening;
      this.#isListening = false;
      if (wasListening) this.#tellOfGap();
      if (!this.#isClosed) setTimeout(() => void this.listen(), RECONNECT_PAUSE_MS).unref();
    });
    this.#client = client;
    try {
      await client.connect();
      for (const channel of this.#hearings.keys()) await client.query(`listen ${channel}`);
      this.#isListening = true;
      this.#tellOfGap();
    } catch {
      await client.end().catch(() => {});
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#servers.close();
    await this.#client?.end().catch(() => {});
  }

  #tellOfGap(): void {
    for (const { onGap } of this.#hearings.values()) onGap();
  }
}
