// The folder of a bank, with its book and its generated key.
import { randomBytes } from 'node:crypto';
import { mkdir, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { readOwn, refuseLink, writeOwn, writeOwnOnce } from '../folders/own-file.ts';
import { actAsOwner } from '../folders/owner.ts';

const BOOK_FILE = 'book.sqlite';
const KEY_FILE = 'key';
const LOCK_FILE = 'lock';
const ADDRESS_FILE = 'address';

export const keyFileIn = (folder: string): string => join(folder, KEY_FILE);

export const bookFileIn = (folder: string): string => join(folder, BOOK_FILE);

/** Locked by the running bank. */
export const lockFileIn = (folder: string): string => join(folder, LOCK_FILE);

/** The address of the running bank, for the error message of a second one. */
export const noteAddress = (folder: string, url: string): void => writeOwn(join(folder, ADDRESS_FILE), `${url}\n`);

export const forgetAddress = (folder: string): Promise<void> => rm(join(folder, ADDRESS_FILE), { force: true });

/** Undefined if the bank has not started listening yet. */
export const readAddress = (folder: string): string | undefined =>
  readOwn(join(folder, ADDRESS_FILE))?.trim() || undefined;

// SQLite would follow them.
const BESIDE_THE_BOOK = ['', '-wal', '-shm', '-journal'];

/** In another user's folder, root becomes that user; links are refused. */
export function enterFolder(folder: string): void {
  actAsOwner(folder);
  for (const ending of BESIDE_THE_BOOK) refuseLink(bookFileIn(folder) + ending);
}

export class NoFolder extends Error {
  override readonly name = 'NoFolder';
}

/**
 * Makes a folder and those above it. Node's own way to do so never ends below a folder in which nothing can be made,
 * such as /proc.
 */
async function makeFolders(folder: string, mode: number): Promise<void> {
  try {
    await mkdir(folder, { mode });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && (await stat(folder)).isDirectory()) return;
    if (code === 'EEXIST') throw new NoFolder('it is a file');
    const above = dirname(folder);
    const isAboveMissing = code === 'ENOENT' && !(await stat(above).catch(() => undefined));
    if (!isAboveMissing || above === folder) throw error;
    await makeFolders(above, mode);
    await makeFolders(folder, mode);
  }
}

/** Makes the folder, for its owner alone. */
export async function makeFolder(folder: string): Promise<void> {
  actAsOwner(folder);
  // The folder above may become the data folder of Kassa: root lets the user of its Postgres pass through that one.
  const mode = process.getuid?.() === 0 ? 0o711 : 0o700;
  await makeFolders(dirname(resolve(folder)), mode);
  await makeFolders(resolve(folder), 0o700);
}

/** The key in that folder; generated on first use. */
export function keepKey(folder: string): string {
  const file = keyFileIn(folder);
  // If two start at once, both use the winner's.
  const key = readOwn(file) ?? (writeOwnOnce(file, `bank-key-${randomBytes(16).toString('hex')}\n`), readOwn(file));
  // Otherwise a request without a key would match.
  if (!key?.trim()) throw new NoFolder(`the file ${KEY_FILE} in it is empty; delete it, and a new key is made`);
  return key.trim();
}
