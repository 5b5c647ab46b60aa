// The connection on which a process receives notifications (LISTEN): a separate session. Notifications sent while it is
// down are lost, so nothing may depend on them.
import pg from 'pg';
import { LISTENER_NAME } from './invalidate.ts';
import { cut } from './backends.ts';
import { openServers } from './servers.ts';
import type { Servers } from './servers.ts';

const RECONNECT_PAUSE_MS = 1_000;
const CONNECT_TIMEOUT_MS = 5_000;

export type Hearing = {
  /** `answer` runs a statement on the connection. */
  readonly onNotice: (payload: string, answer: (text: string) => void) => void;
  /** Notifications may have been lost: the connection ended, or was re-established. */
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
    // Otherwise the connection to a server that hangs would stay open unnoticed.
    this.#servers.onMove(() => {
      if (this.#client) cut(this.#client);
    });
  }

  /** Must be called before it listens. */
  hear(channel: string, hearing: Hearing): void {
    this.#hearings.set(channel, hearing);
  }

  get isListening(): boolean {
    return this.#isListening;
  }

  /** Reconnects when the connection breaks. */
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
