// Debian's Postgres with an archive of its log, as docs/operate/backup-and-verify.md sets it up: copied while it runs, lost
// with its disk, and restored to a moment.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { appendFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { choosePostgresUser, spawnOptionsFor } from '../../src/database/postgres-user.ts';
import type { PostgresUser } from '../../src/database/postgres-user.ts';
import { asAdmin } from '../../test/support/admin.ts';
import { freePort } from '../../test/support/free-port.ts';
import { Daemon } from '../daemon.ts';
import { requirePostgres } from '../debian-postgres.ts';

const LIMIT_MS = 120_000;
const LOOK_EVERY_MS = 100;

async function until(what: string, holds: () => Promise<boolean>, said: () => string): Promise<void> {
  const deadline = performance.now() + LIMIT_MS;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`waited in vain for ${what}: ${said()}`);
    await sleep(LOOK_EVERY_MS);
  }
}

export class ArchivedPostgres {
  readonly url: string;
  readonly #bin: string;
  readonly #home: string;
  readonly #port: number;
  readonly #user: PostgresUser;
  readonly #password: string;
  #daemon: Daemon | undefined;

  private constructor(bin: string, home: string, port: number, user: PostgresUser) {
    this.#bin = bin;
    this.#home = home;
    this.#port = port;
    this.#user = user;
    this.#password = randomBytes(16).toString('hex');
    this.url = `postgres://postgres:${this.#password}@127.0.0.1:${port}/postgres`;
  }

  static async open(): Promise<ArchivedPostgres> {
    const bin = await requirePostgres('npm run proof:pitr needs');
    const user = await choosePostgresUser('/nowhere');
    const home = mkdtempSync(join(tmpdir(), 'kassa-pitr-'));
    chmodSync(home, 0o755);
    const server = new ArchivedPostgres(bin, home, await freePort(), user);
    try {
      await server.#create();
      return server;
    } catch (error) {
      await server.close();
      throw error;
    }
  }

  async #create(): Promise<void> {
    const archive = join(this.#home, 'archive');
    const secret = join(this.#home, 'password');
    mkdirSync(archive);
    writeFileSync(secret, this.#password, { mode: 0o600 });
    if (this.#user) for (const path of [this.#home, archive, secret]) chownSync(path, this.#user.uid, this.#user.gid);
    const auth = ['--auth=scram-sha-256', '--username=postgres', `--pwfile=${secret}`];
    await this.#run('initdb', [`--pgdata=${this.#data}`, '--encoding=UTF8', '--data-checksums', ...auth]);
    await appendFile(
      join(this.#data, 'postgresql.conf'),
      [
        `listen_addresses = '127.0.0.1'`,
        `port = ${this.#port}`,
        `unix_socket_directories = ''`,
        'max_connections = 200',
        'archive_mode = on',
        // A copy that broke off is not taken for a whole one: it gets its name in the end.
        `archive_command = 'test ! -f ${archive}/%f && cp %p ${archive}/%f.part && mv ${archive}/%f.part ${archive}/%f'`,
        'archive_timeout = 2s',
        `restore_command = 'cp ${archive}/%f %p'`,
      ].join('\n'),
    );
    await this.#start();
  }

  get #data(): string {
    return join(this.#home, 'data');
  }

  get #log(): string {
    return join(this.#home, 'postgres.log');
  }

  /** The last that it wrote. */
  get #said(): string {
    return readFileSync(this.#log, 'utf8').slice(-2_000);
  }

  /** A copy of the whole, while it is written to. */
  async baseBackup(): Promise<void> {
    const address = `postgres://postgres:${this.#password}@127.0.0.1:${this.#port}`;
    const copy = join(this.#home, 'copy');
    await this.#run('pg_basebackup', ['-d', address, '-D', copy, '--checkpoint=fast', '--no-sync']);
    await this.#run('pg_verifybackup', ['--quiet', copy]);
  }

  /** This moment, by the database's clock, and once the archive reaches beyond it. */
  async moment(): Promise<{ readonly at: string; readonly archived: () => Promise<void> }> {
    const [row] = await this.#ask(
      'select clock_timestamp()::text as at, pg_walfile_name(pg_current_wal_lsn()) as file',
    );
    const { at, file } = row as { at: string; file: string };
    const isArchived = async (): Promise<boolean> => {
      const rows = await this.#ask(`select 1 from pg_stat_archiver where last_archived_wal > '${file}'`);
      return rows.length > 0;
    };
    return { at, archived: () => until('the archive', isArchived, () => this.#said) };
  }

  /** The server and its disk are gone; the archive and the copy are elsewhere. */
  async lose(): Promise<void> {
    await this.#daemon?.kill();
    await rm(this.#data, { recursive: true, force: true });
  }

  /** From the copy and the archive, to the moment; returns when it takes what is written. */
  async restore(at: string): Promise<void> {
    await rename(join(this.#home, 'copy'), this.#data);
    const target = [`recovery_target_time = '${at}'`, "recovery_target_action = 'promote'"];
    await appendFile(join(this.#data, 'postgresql.auto.conf'), `${target.join('\n')}\n`);
    const recovery = join(this.#data, 'recovery.signal');
    await writeFile(recovery, '');
    if (this.#user) chownSync(recovery, this.#user.uid, this.#user.gid);
    await this.#start();
  }

  async close(): Promise<void> {
    await this.#daemon?.kill();
    // A copy into the archive may still be under way.
    await rm(this.#home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }

  async #start(): Promise<void> {
    const daemon = new Daemon([join(this.#bin, 'postgres'), '-D', this.#data], this.#user, this.#log);
    this.#daemon = daemon;
    daemon.start();
    const takesWrites = async (): Promise<boolean> => {
      if (daemon.pid === undefined) throw new Error(`Postgres has ended: ${this.#said}`);
      return this.#ask('select 1 where not pg_is_in_recovery()').then(
        (rows) => rows.length > 0,
        () => false,
      );
    };
    await until('Postgres', takesWrites, () => this.#said);
  }

  #ask(text: string): Promise<Record<string, string>[]> {
    return asAdmin(this.url, (query) => query(text));
  }

  async #run(program: string, args: readonly string[]): Promise<void> {
    const child = spawn(join(this.#bin, program), args, {
      ...spawnOptionsFor(this.#user),
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-2_000)));
    const [code] = (await once(child, 'close')) as [number | null];
    if (code !== 0) throw new Error(`${program} ended with ${code}: ${said}`);
  }
}
