// Locks on files of the data folder, held by the kernel: they end with their process however it dies, need no pid, no
// clock and no clean-up, and are taken by exactly one of two that ask at the same instant. Node has no call for file
// locks, but the SQLite inside it takes them on every platform, shared and exclusive; the files stay empty. (A pid
// file would have to be stolen when stale, and two thieves can steal from each other.) One rule comes with POSIX locks:
// nothing else in this process may open and close a lock's file, as that would drop the lock.
import { closeSync, openSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseSync } from 'node:sqlite';
import { refuseLink } from '../folders/own-file.ts';
import { DatabaseUnavailable } from './database-unavailable.ts';
import { codeOf } from './fault-code.ts';

export type FolderLock = { release(): void };

// A primary result code of SQLite: somebody else has the lock.
const SQLITE_BUSY = 5;
// Short enough to go unnoticed, long enough to cost nothing while another process runs initdb.
const RETRY_MS = 20;

// A lock lives as long as its SQLite handle, so none may be collected as garbage.
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

/** The lock for one holder, or undefined when somebody has it (alone or shared). */
export function tryExclusiveLock(file: string): FolderLock | undefined {
  return takeLock(file, ['BEGIN EXCLUSIVE']);
}

/** The lock for any number of holders, or undefined when somebody has it alone. */
export function trySharedLock(file: string): FolderLock | undefined {
  return takeLock(file, ['BEGIN', 'SELECT count(*) FROM sqlite_schema']);
}

/** Runs the work while nobody else runs theirs under the same lock. */
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
