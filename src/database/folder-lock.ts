// File locks in the data folder. The kernel releases them when their process ends, however it ends, so that they need no
// pid, clock or clean-up. Node has no API for file locks, but its SQLite takes them on every platform, shared and
// exclusive; the files stay empty. (Stale pid files would have to be stolen, which is racy.) With POSIX locks, nothing
// else in this process may open and close a lock file, since that would release the lock.
import { closeSync, openSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseSync } from 'node:sqlite';
import { refuseLink } from '../folders/own-file.ts';
import { DatabaseUnavailable } from './database-unavailable.ts';
import { codeOf } from './fault-code.ts';

export type FolderLock = { release(): void };

// SQLite's result code for a lock held by another process.
const SQLITE_BUSY = 5;
// Short enough to go unnoticed, long enough to cost nothing while another process runs initdb.
const RETRY_MS = 20;

// A lock lives as long as its SQLite handle, so handles must not be garbage-collected.
const held = new Set<DatabaseSync>();

function takeLock(file: string, statements: readonly string[]): FolderLock | undefined {
  createIfMissing(file);
  const handle = new DatabaseSync(file, { timeout: 0 });
  try {
    for (const statement of statements) handle.exec(statement);
  } catch (error) {
    handle.close();
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return undefined;
    throw error;
  }
  held.add(handle);
  return {
    release() {
      if (held.delete(handle)) handle.close();
    },
  };
}

// Only a missing file is opened here (see the rule above). SQLite would follow a link.
function createIfMissing(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    refuseLink(file);
  }
}

/** Takes the exclusive lock; undefined if it is held, exclusively or shared. */
export function tryExclusiveLock(file: string): FolderLock | undefined {
  return takeLock(file, ['BEGIN EXCLUSIVE']);
}

/** Takes the shared lock; undefined if it is held exclusively. */
export function trySharedLock(file: string): FolderLock | undefined {
  return takeLock(file, ['BEGIN', 'SELECT count(*) FROM sqlite_schema']);
}

/** Runs the work under the exclusive lock. */
export async function withExclusiveLock<T>(file: string, limitMs: number, work: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + limitMs;
  let lock = tryExclusiveLock(file);
  while (lock === undefined) {
    if (performance.now() > deadline) {
      throw new DatabaseUnavailable(`Another Kassa process has held ${file} for more than ${limitMs / 1000} s.`);
    }
    await sleep(RETRY_MS);
    lock = tryExclusiveLock(file);
  }
  try {
    return await work();
  } finally {
    lock.release();
  }
}
