// Checks whether one of several servers is a primary, over a connection of its own that stays open, since those of the
// pools may all wait for a server that hangs. A server that does not answer in time is away.
import pg from 'pg';
import { TIMELINE } from './timeline.ts';

/** Away, read-only (such as a standby), or the timeline of a primary; each promotion begins a new one. */
export type ServerState = 'away' | 'read-only' | number;

// Enough for one short query on a busy machine, and for connecting, which takes a few of them.
const TIMEOUT_MS = 2_000;

const QUESTION = `
  select case
    when pg_is_in_recovery() or current_setting('default_transaction_read_only') = 'on' then null
    else ${TIMELINE}
  end
`;

export class PrimaryProbe {
  readonly address: string;
  #client: pg.Client | undefined;
  #asking: Promise<ServerState> | undefined;
  #isClosed = false;

  constructor(address: string) {
    this.address = address;
  }

  /** Concurrent calls share one answer. */
  ask(): Promise<ServerState> {
    return (this.#asking ??= this.#ask().finally(() => (this.#asking = undefined)));
  }

  close(): void {
    this.#isClosed = true;
    this.#drop();
  }

  async #ask(): Promise<ServerState> {
    try {
      const client = (this.#client ??= await this.#connect());
      if (this.#isClosed) throw new Error('nobody asks any more');
      const { rows } = await client.query<[string | null]>({ text: QUESTION, rowMode: 'array' });
      const timeline = rows[0]?.[0] ?? null;
      return timeline === null ? 'read-only' : Number.parseInt(timeline, 16);
    } catch {
      this.#drop();
      return 'away';
    }
  }

  async #connect(): Promise<pg.Client> {
    const limits = { connectionTimeoutMillis: TIMEOUT_MS, query_timeout: TIMEOUT_MS };
    const client = new pg.Client({ connectionString: this.address, application_name: 'kassa', ...limits });
    client.on('error', () => {});
    client.on('end', () => {
      if (this.#client === client) this.#client = undefined;
    });
    try {
      await client.connect();
    } catch (error) {
      end(client);
      throw error;
    }
    return client;
  }

  #drop(): void {
    if (this.#client) end(this.#client);
    this.#client = undefined;
  }
}

/** A server that hangs does not answer a goodbye either. */
function end(client: pg.Client): void {
  client.end().catch(() => {});
  const { stream } = (client as unknown as { connection: { stream: { destroy(): void } } }).connection;
  setImmediate(() => stream.destroy());
}
