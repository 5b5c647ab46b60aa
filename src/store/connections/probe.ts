// One of several servers, asked whether it takes what is written: over a connection of its own that stays open, since
// those of the pools may all wait for a server that hangs. A server that does not answer in time is away.
import pg from 'pg';
import { TIMELINE } from './timeline.ts';

/** Away, a standby or otherwise read-only; or the timeline of one that is written to: a promotion begins a new one. */
export type Standing = 'away' | 'read-only' | number;

// One short question, on a machine that may be busy; a connection takes a few of them.
const TIMEOUT_MS = 2_000;

const QUESTION = `
  select case
    when pg_is_in_recovery() or current_setting('default_transaction_read_only') = 'on' then null
    else ${TIMELINE}
  end
`;

export class Probe {
  readonly address: string;
  #client: pg.Client | undefined;
  #asking: Promise<Standing> | undefined;
  #isClosed = false;

  constructor(address: string) {
    this.address = address;
  }

  /** Who asks while it is being asked gets the same answer. */
  ask(): Promise<Standing> {
    return (this.#asking ??= this.#ask().finally(() => (this.#asking = undefined)));
  }

  close(): void {
    this.#isClosed = true;
    this.#drop();
  }

  async #ask(): Promise<Standing> {
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

/** A server that hangs answers no goodbye either. */
function end(client: pg.Client): void {
  client.end().catch(() => {});
  const { stream } = (client as unknown as { connection: { stream: { destroy(): void } } }).connection;
  setImmediate(() => stream.destroy());
}
