// A base backup of a running Postgres, with BASE_BACKUP of the replication protocol: all files, with the WAL that makes
// them consistent. pg_basebackup does the same, but is not in the npm package.
import pg from 'pg';

const LABEL = 'kassa backup';
// Postgres sends one archive after the other in messages that start with a letter: d is archive data.
const NEW_ARCHIVE = 'n'.codePointAt(0);
const DATA = 'd'.codePointAt(0);

type Connection = { readonly stream: { pause(): void; resume(): void } };

/** Handles the copy stream of the driver; the result rows around it are not needed. */
class Copy {
  readonly done: Promise<void>;
  readonly #resolve: () => void;
  readonly #reject: (error: Error) => void;
  readonly #onData: (bytes: Buffer) => Promise<void>;
  readonly #text: string;
  #writing: Promise<void> = Promise.resolve();
  #waiting = 0;
  #archives = 0;

  constructor(text: string, onData: (bytes: Buffer) => Promise<void>) {
    this.#text = text;
    this.#onData = onData;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.done = promise;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  submit(connection: { query(text: string): void }): void {
    connection.query(this.#text);
  }

  handleCopyData({ chunk }: { readonly chunk: Buffer }, { stream }: Connection): void {
    if (chunk[0] === NEW_ARCHIVE) this.#archives += 1;
    if (chunk[0] !== DATA) return;
    if (this.#archives > 1)
      return this.#reject(new Error('the database has tablespaces, which kassa backup does not copy'));
    // The driver reuses its buffer.
    const bytes = Buffer.from(chunk.subarray(1));
    this.#waiting += 1;
    stream.pause();
    this.#writing = this.#writing.then(() => this.#onData(bytes));
    this.#writing.then(
      () => --this.#waiting === 0 && stream.resume(),
      (error: Error) => this.#reject(error),
    );
  }

  handleReadyForQuery(): void {
    this.#writing.then(this.#resolve, this.#reject);
  }

  handleError(error: Error): void {
    this.#reject(error);
  }

  handleRowDescription(): void {}
  handleDataRow(): void {}
  handleCommandComplete(): void {}
}

/** Streams the backup as a tar; each chunk is awaited before the next. */
export async function copyServer(url: string, onData: (bytes: Buffer) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url, replication: 'true' } as pg.ClientConfig);
  const lost = Promise.withResolvers<never>();
  client.on('error', lost.reject);
  lost.promise.catch(() => {});
  const ask = async (text: string, onBytes: (bytes: Buffer) => Promise<void> = async () => {}): Promise<void> => {
    const copy = new Copy(text, onBytes);
    client.query(copy as unknown as pg.Submittable);
    await Promise.race([copy.done, lost.promise]);
  };
  await client.connect();
  try {
    // Keeps the WAL until it is copied; dropped with the connection.
    await ask('CREATE_REPLICATION_SLOT "kassa_backup_' + process.pid + '" TEMPORARY PHYSICAL RESERVE_WAL');
    await ask(`BASE_BACKUP (LABEL '${LABEL}', CHECKPOINT 'fast', WAL true, MANIFEST 'no')`, onData);
  } finally {
    await client.end().catch(() => {});
  }
}
