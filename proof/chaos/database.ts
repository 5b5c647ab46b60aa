// The Postgres of a run, which can be killed as a power cut would and started again on the same data. It has another
// port after each start, so whoever uses it goes over a wire.
import { openDataFolder } from '../../src/database/data-folder.ts';
import { startEmbeddedDatabase } from '../../src/database/embedded.ts';
import type { EmbeddedDatabase } from '../../src/database/embedded.ts';
import { findPostmaster } from '../../src/database/postmaster.ts';

export class Database {
  readonly #dataDir: string;
  readonly #onPort: (port: number | undefined) => void;
  #embedded: EmbeddedDatabase | undefined;
  #pid: number | undefined;

  private constructor(dataDir: string, onPort: (port: number | undefined) => void) {
    this.#dataDir = dataDir;
    this.#onPort = onPort;
    process.on('exit', () => {
      if (this.#pid !== undefined) process.kill(this.#pid, 'SIGQUIT');
    });
  }

  static async open(dataDir: string, onPort: (port: number | undefined) => void): Promise<Database> {
    const database = new Database(dataDir, onPort);
    await database.start();
    return database;
  }

  /** Of the server that runs now. */
  get url(): string {
    return this.#embedded?.url ?? '';
  }

  /** The same database at another port. */
  urlAt(port: number): string {
    const url = new URL(this.url);
    url.port = String(port);
    return url.href;
  }

  async start(): Promise<void> {
    this.#embedded = await startEmbeddedDatabase({ dataDir: this.#dataDir });
    this.#pid = await this.#findPid();
    this.#onPort(Number(new URL(this.url).port));
  }

  async kill(): Promise<void> {
    this.#onPort(undefined);
    const pid = await this.#findPid();
    this.#pid = undefined;
    if (pid !== undefined) process.kill(pid, 'SIGKILL');
    // Lets go of the folder; there is nothing left to stop.
    await this.#embedded?.stop();
  }

  async close(): Promise<void> {
    await this.#embedded?.stop();
    this.#pid = undefined;
  }

  async #findPid(): Promise<number | undefined> {
    const found = await findPostmaster(await openDataFolder(this.#dataDir));
    return found.kind === 'running' ? found.postmaster.pid : undefined;
  }
}
