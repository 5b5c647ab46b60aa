// The folder of a bank: its book, and the key that was made for it, so that both are the same at the next start.
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

/** Held by the bank that has this folder, for as long as it runs. */
export const lockFileIn = (folder: string): string => join(folder, LOCK_FILE);

/** Where the bank of this folder is reached, for another that finds it locked. */
export const noteAddress = (folder: string, url: string): void => writeOwn(join(folder, ADDRESS_FILE), `${url}\n`);

export const forgetAddress = (folder: string): Promise<void> => rm(join(folder, ADDRESS_FILE), { force: true });

/** Undefined when the bank of this folder has not come so far. */
export const readAddress = (folder: string): string | undefined =>
  readOwn(join(folder, ADDRESS_FILE))?.trim() || undefined;

// SQLite would follow them.
const BESIDE_THE_BOOK = ['', '-wal', '-shm', '-journal'];

/** In somebody else's folder root is that somebody from here on; and nothing that it opens there is a link. */
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

/** The key of the bank in that folder; the first time it is made. */
export function keepKey(folder: string): string {
  const file = keyFileIn(folder);
  // Of two that start at once, both use the winner's.
  const key = readOwn(file) ?? (writeOwnOnce(file, `bank-key-${randomBytes(16).toString('hex')}\n`), readOwn(file));
  // Whoever sends no key at all would have the right one.
  if (!key?.trim()) throw new NoFolder(`the file ${KEY_FILE} in it is empty; delete it, and a new key is made`);
  return key.trim();
}
