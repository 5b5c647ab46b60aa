// The folder of a bank: its book, and the key that was made for it, so that both are the same at the next start.
import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

const BOOK_FILE = 'book.sqlite';
const KEY_FILE = 'key';

export const bookFileIn = (folder: string): string => join(folder, BOOK_FILE);

/** Makes the folder, for its owner alone. */
export async function makeFolder(folder: string): Promise<void> {
  // The folder above may become the data folder of Kassa: root lets the user of its Postgres pass through that one.
  const mode = process.getuid?.() === 0 ? 0o711 : 0o700;
  await mkdir(dirname(resolve(folder)), { recursive: true, mode });
  await mkdir(folder, { recursive: true, mode: 0o700 });
}

/** The key of the bank in that folder; the first time it is made. */
export async function keepKey(folder: string): Promise<string> {
  const file = join(folder, KEY_FILE);
  const read = async (): Promise<string> => (await readFile(file, 'utf8')).trim();
  const draft = `${file}.${process.pid}`;
  try {
    return await read();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  await writeFile(draft, `bank-key-${randomBytes(16).toString('hex')}\n`, { mode: 0o600 });
  // A link appears whole, and fails if there is one: of two that start at once, both use the winner's.
  await link(draft, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rm(draft, { force: true });
  return read();
}
