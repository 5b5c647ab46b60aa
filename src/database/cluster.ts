// The Postgres cluster inside the data folder, created once by initdb. It is created under a temporary name and renamed
// when complete, so that a crash leaves nothing in the way. Settings that users may change are written to its
// postgresql.conf here; those that Kassa depends on are passed at every start (server.ts).
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chown, mkdir, open, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { FolderRefused, readOwn, writeOwn } from '../folders/own-file.ts';
import type { Binaries, PostgresPackage } from './binaries.ts';
import type { DataFolder } from './data-folder.ts';
import { DatabaseUnavailable } from './database-unavailable.ts';
import { codeOf, ignoring } from './fault-code.ts';
import { explainFullDisk } from './full-disk.ts';
import { lastLines } from './log-file.ts';
import { spawnOptionsFor } from './postgres-user.ts';

export const SUPERUSER = 'kassa';

const run = promisify(execFile);

// 0.7 s on a small machine; a slow disk and a busy CI runner may need twenty times as long.
const INITDB_LIMIT_MS = 120_000;
// 256 bits in characters that need no escaping in a URL.
const PASSWORD_BYTES = 32;
// With less memory than this, Postgres' default (128 MB) leaves more to the service.
const AMPLE_MEMORY_BYTES = 2 * 1024 ** 3;

function chooseSettings(): readonly string[] {
  const memory = Math.min(totalmem(), process.constrainedMemory() || Infinity);
  return [
    // Enough for the service, commands and psql.
    'max_connections=200',
    ...(memory >= AMPLE_MEMORY_BYTES ? ['shared_buffers=256MB'] : []),
    // Every statement is short: compiling it would take longer than running it.
    'jit=off',
    // Times in logs and results mean the same on every machine.
    'timezone=UTC',
    'log_timezone=UTC',
    // A useless line every five minutes.
    'log_checkpoints=off',
    // Otherwise rows refused by a constraint would be logged, with the consumer's data.
    'log_error_verbosity=terse',
    // So that `ps` shows whose Postgres it is.
    'cluster_name=kassa',
  ];
}

/** Whether there is a cluster that this Postgres can run. */
export async function hasCluster(folder: DataFolder, source: PostgresPackage): Promise<boolean> {
  const entries = (await readdir(folder.cluster).catch(ignoring('ENOENT'))) ?? [];
  if (entries.length === 0) return false;
  const version = (readOwn(join(folder.cluster, 'PG_VERSION')) ?? '').trim();
  if (version === String(source.major)) return true;
  if (version === '')
    throw new DatabaseUnavailable(`The folder ${folder.cluster} does not contain a Postgres database.`);
  throw new DatabaseUnavailable(
    `The database in ${folder.cluster} was created by Postgres ${version}, but this Kassa includes Postgres ${source.major}: run it with the Kassa that created it, or move its data with pg_dump.`,
  );
}

export async function createCluster(folder: DataFolder, binaries: Binaries): Promise<void> {
  // Before the cluster, so that a cluster always has its password. Readable by the user that runs initdb.
  writeOwn(folder.password, randomBytes(PASSWORD_BYTES).toString('hex'), folder.user);
  // A unique name, since an orphaned initdb may still be writing to an earlier one.
  const part = `${folder.cluster}.part-${randomBytes(6).toString('hex')}`;
  await mkdir(part, { mode: 0o700 });
  if (folder.user !== undefined) await chown(part, folder.user.uid, folder.user.gid);
  try {
    await run(
      binaries.initdb,
      [
        `--pgdata=${part}`,
        `--username=${SUPERUSER}`,
        `--pwfile=${folder.password}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        '--locale=C',
        '--no-instructions',
        ...chooseSettings().map((setting) => `--set=${setting}`),
      ],
      { ...spawnOptionsFor(folder.user), timeout: INITDB_LIMIT_MS },
    );
    await rename(part, folder.cluster);
    await syncFolder(folder.home);
  } catch (error) {
    await removePart(folder, part);
    const { stdout, stderr, message } = error as { stdout?: string; stderr?: string; message: string };
    const said = lastLines([stdout, stderr].join('\n')) || message;
    const full = explainFullDisk(folder.home, [said, message].join('\n'), 'a new database could not be created');
    if (full !== undefined) throw new DatabaseUnavailable(full);
    throw new DatabaseUnavailable(`The database in ${folder.home} could not be created. Output of initdb:\n${said}`);
  }
}

/** Removes incomplete clusters of killed starts; one that is still being written is left for the next time. */
export async function removeParts(folder: DataFolder): Promise<void> {
  const prefix = `${basename(folder.cluster)}.part-`;
  for (const entry of await readdir(folder.home)) {
    if (entry.startsWith(prefix)) await removePart(folder, join(folder.home, entry)).catch(() => {});
  }
}

/** Removes the files as the user who created them: root could be tricked into following a link out of the folder. */
async function removePart({ user }: DataFolder, part: string): Promise<void> {
  if (user === undefined) return rm(part, { recursive: true, force: true });
  // The folder itself is in root's folder, where only root can remove it.
  await run('/bin/sh', ['-c', 'cd "$1" && rm -rf -- * .[!.]*', 'sh', part], spawnOptionsFor(user)).catch(() => {});
  await rmdir(part);
}

export function readPassword(folder: DataFolder): string {
  const cannot = (why: string): DatabaseUnavailable =>
    new DatabaseUnavailable(`The password of the database, ${folder.password}, cannot be read (${why}).`);
  let password;
  try {
    password = readOwn(folder.password);
  } catch (error) {
    throw error instanceof FolderRefused ? error : cannot(codeOf(error));
  }
  if (password === undefined) throw cannot('ENOENT');
  return password.trim();
}

async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
