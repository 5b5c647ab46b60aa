// Backups of the embedded Postgres: one file each, a compressed tar. It begins with what the data folder has beside the
// database, and goes on with the copy that the running Postgres gives. A restore makes a database of it where there is
// none, the way a new one is made: under another name, renamed when it is whole.
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  createReadStream,
  existsSync,
  lchownSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { once } from 'node:events';
import { pipeline } from 'node:stream/promises';
import { constants, createGunzip, createGzip } from 'node:zlib';
import { readOwn, writeOwn } from '../folders/own-file.ts';
import { copyServer } from './base-backup.ts';
import { locatePackage } from './binaries.ts';
import { hasCluster } from './cluster.ts';
import { openDataFolder } from './data-folder.ts';
import type { DataFolder } from './data-folder.ts';
import { DatabaseUnavailable } from './database-unavailable.ts';
import { tryExclusiveLock } from './folder-lock.ts';
import { explainFullDisk, roomOf, showBytes } from './full-disk.ts';
import { BadArchive, readTar, tarFile } from './tar.ts';

/** What a backup says of itself, in its first entry. */
export type BackupNote = {
  readonly format: 1;
  readonly kassa: string;
  readonly postgres: number;
  /** Of the database, unpacked. */
  readonly bytes: number;
  readonly takenAt: string;
  /** By which Postgres tells one database from every other. */
  readonly system: string;
};

const NOTE = 'kassa/backup.json';
// Beside the database: what is lost without them are the keys of the sandbox, and the way in.
const PASSWORD = 'kassa/postgres.password';
const SANDBOX = 'kassa/sandbox.json';
// The note is the first entry; more need not be read for it.
const MOST_NOTE_BYTES = 4_096;

/** What lies in the data folder itself, wherever the database is. */
const sandboxIn = ({ named }: DataFolder): string => join(named, 'sandbox.json');

async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  await using handle = await open(folder, 'r');
  await handle.sync();
}

/** Writes the file whole or not at all; gives its size. */
export async function writeBackup(
  given: { readonly dataDir: string; readonly sharedHome?: string; readonly url: string; readonly file: string },
  about: Omit<BackupNote, 'format' | 'postgres'>,
  onBytes: (bytes: number) => void = () => {},
): Promise<number> {
  const { dataDir, sharedHome, url, file } = given;
  const folder = await openDataFolder(dataDir, sharedHome);
  const note: BackupNote = { format: 1, postgres: (await locatePackage()).major, ...about };
  const part = `${file}.part-${randomBytes(6).toString('hex')}`;
  const remove = (): void => rmSync(part, { force: true });
  // A Ctrl-C ends the process without another word.
  process.once('exit', remove);
  try {
    await using handle = await open(part, 'wx', 0o600);
    const zip = createGzip({ level: constants.Z_BEST_SPEED });
    const written = handle.writeFile(zip);
    written.catch(() => {});
    let bytes = 0;
    const put = async (piece: Buffer): Promise<void> => {
      onBytes((bytes += piece.length));
      if (!zip.write(piece)) await Promise.race([once(zip, 'drain'), written]);
    };
    await put(tarFile(NOTE, JSON.stringify(note)));
    await put(tarFile(PASSWORD, await readFile(folder.password, 'utf8')));
    const sandbox = readOwn(sandboxIn(folder));
    if (sandbox !== undefined) await put(tarFile(SANDBOX, sandbox));
    await copyServer(url, put);
    zip.end();
    await written;
    await handle.sync();
    const { size } = await handle.stat();
    await rename(part, file);
    await syncFolder(dirname(file));
    return size;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const full = code === 'ENOSPC' && explainFullDisk(dirname(file), message, 'the backup could not be written');
    const why = full || `The backup could not be taken: ${message}.`;
    throw new DatabaseUnavailable(why.replace(', or set KASSA_DATA_DIR to a folder on another disk', ''), {
      cause: error,
    });
  } finally {
    remove();
    process.off('exit', remove);
  }
}

/** Undefined where the file is none of ours. */
export async function readBackupNote(file: string): Promise<BackupNote | undefined> {
  let text = '';
  let name = '';
  const tar = readTar({
    onEntry: (entry) => (name ||= entry.bytes > MOST_NOTE_BYTES ? 'another' : entry.name),
    onPiece: (bytes) => (text += text.length < MOST_NOTE_BYTES ? bytes.toString('utf8') : ''),
    onEntryEnd: () => {
      throw new Error('the first is read');
    },
  });
  try {
    await pipeline(createReadStream(file), createGunzip(), async (pieces: AsyncIterable<Buffer>) => {
      for await (const piece of pieces) tar.take(piece);
    });
  } catch {
    // Whatever ended it, the text is there or not.
  }
  try {
    const note = name === NOTE ? (JSON.parse(text) as BackupNote) : undefined;
    return note?.format === 1 ? note : undefined;
  } catch {
    return undefined;
  }
}

/** Makes the database of the data folder out of a backup; refuses where there is one, or a service runs. */
export async function restoreBackup(
  given: { readonly dataDir: string; readonly sharedHome?: string; readonly file: string },
  onBytes: (bytes: number) => void = () => {},
): Promise<BackupNote> {
  const { dataDir, sharedHome, file } = given;
  if (!existsSync(file)) throw new DatabaseUnavailable(`There is no file ${file}.`);
  const note = await readBackupNote(file);
  if (note === undefined) throw new DatabaseUnavailable(`${file} is no backup that kassa backup has made.`);
  const source = await locatePackage();
  if (note.postgres !== source.major)
    throw new DatabaseUnavailable(
      `${file} was made with Postgres ${note.postgres}, and this Kassa brings Postgres ${source.major}: restore it with Kassa ${note.kassa}.`,
    );
  const folder = await openDataFolder(dataDir, sharedHome);
  const locks = [folder.serviceLock, folder.changeLock].map((lock) => tryExclusiveLock(lock));
  const part = `${folder.cluster}.part-${randomBytes(6).toString('hex')}`;
  try {
    if (locks.includes(undefined) || (await hasCluster(folder, source)))
      throw new DatabaseUnavailable(
        `There is a database in ${folder.named} already, and nothing is written over it: stop Kassa and move that folder away, or set KASSA_DATA_DIR to a new one.`,
      );
    const room = roomOf(folder.home);
    if (room && room.bytes > 0 && room.freeBytes < note.bytes)
      throw new DatabaseUnavailable(
        `The database of ${file} takes ${showBytes(note.bytes)}, and the disk of ${folder.home} has ${showBytes(room.freeBytes)} free: make room there, or set KASSA_DATA_DIR to a folder on another disk.`,
      );
    await mkdir(part, { mode: 0o700 });
    const beside = await unpack(file, part, onBytes);
    if (folder.user !== undefined) giveTo(part, folder.user);
    writeOwn(folder.password, beside.get(PASSWORD) ?? '', folder.user);
    const sandbox = beside.get(SANDBOX);
    if (sandbox !== undefined) writeOwn(sandboxIn(folder), sandbox);
    await rename(part, folder.cluster);
    await syncFolder(folder.home);
    return note;
  } catch (error) {
    await rm(part, { recursive: true, force: true });
    if (error instanceof DatabaseUnavailable) throw error;
    const { message } = error as Error;
    const full = explainFullDisk(folder.home, message, 'the backup could not be unpacked');
    throw new DatabaseUnavailable(full ?? `${file} is damaged, and nothing was restored: ${message}.`, {
      cause: error,
    });
  } finally {
    for (const lock of locks) lock?.release();
  }
}

/** Files of the database into the folder; those that lie beside it as text. */
async function unpack(file: string, part: string, onBytes: (bytes: number) => void): Promise<Map<string, string>> {
  const beside = new Map<string, string>();
  let text: string | undefined;
  let name = '';
  let fd: number | undefined;
  let bytes = 0;
  const tar = readTar({
    onEntry: (entry) => {
      name = entry.name;
      const path = join(part, name);
      if (name.startsWith('kassa/')) text = '';
      else if (entry.isFolder) mkdirSync(path, { recursive: true, mode: 0o700 });
      else {
        mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
        fd = openSync(path, 'wx', 0o600);
      }
    },
    onPiece: (piece) => {
      if (fd === undefined) text += piece.toString('utf8');
      else for (let at = 0; at < piece.length;) at += writeSync(fd, piece, at);
    },
    onEntryEnd: () => {
      if (text !== undefined) beside.set(name, text);
      if (fd !== undefined) closeSync(fd);
      [text, fd] = [undefined, undefined];
    },
  });
  try {
    await pipeline(createReadStream(file), createGunzip(), async (pieces: AsyncIterable<Buffer>) => {
      for await (const piece of pieces) {
        tar.take(piece);
        onBytes((bytes += piece.length));
      }
    });
    tar.end();
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
  if (!readdirSync(part).includes('backup_label') || !beside.has(PASSWORD)) throw new BadArchive('it is not whole');
  return beside;
}

/** What is inside first: nobody but us can enter the folder until it is theirs. */
function giveTo(folder: string, user: { readonly uid: number; readonly gid: number }): void {
  for (const entry of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    lchownSync(join(folder, entry), user.uid, user.gid);
  lchownSync(folder, user.uid, user.gid);
}
