// A copy of a running Postgres as Postgres itself gives it (BASE_BACKUP of its replication protocol): all files, with as
// much of its log as makes them one moment. pg_basebackup asks for the same; npm brings it not.
import pg from 'pg';

const LABEL = 'kassa backup';
// What Postgres sends is one archive after the other, each message with a letter before it: d is what an archive holds.
const NEW_ARCHIVE = 'n'.codePointAt(0);
const DATA = 'd'.codePointAt(0);

type Connection = { readonly stream: { pause(): void; resume(): void } };

/** What the driver tells of an answer that is a stream. Of the rows around it nothing is needed. */
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
    // The driver uses its memory again.
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

/** Hands over the copy as a tar, piece by piece; each is awaited before the next. */
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
    // So that what is written meanwhile is not removed before it is copied; it goes with the connection.
    await ask('CREATE_REPLICATION_SLOT "kassa_backup_' + process.pid + '" TEMPORARY PHYSICAL RESERVE_WAL');
    await ask(`BASE_BACKUP (LABEL '${LABEL}', CHECKPOINT 'fast', WAL true, MANIFEST 'no')`, onData);
  } finally {
    await client.end().catch(() => {});
  }
}
