// Backups of the embedded Postgres, each a compressed tar: first the other files of the data folder, then a base backup of
// the running Postgres. A restore creates a database under a temporary name, and renames it when it is complete.
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

/** The metadata of a backup, in its first entry. */
export type BackupNote = {
  readonly format: 1;
  readonly kassa: string;
  readonly postgres: number;
  /** Unpacked size of the database. */
  readonly bytes: number;
  readonly takenAt: string;
  /** The system identifier of the Postgres cluster. */
  readonly system: string;
};

const NOTE = 'kassa/backup.json';
// Files beside the database, without which the sandbox keys and the password would be lost.
const PASSWORD = 'kassa/postgres.password';
const SANDBOX = 'kassa/sandbox.json';
// The note is the first entry, so this is all that has to be read.
const MOST_NOTE_BYTES = 4_096;

/** Files in the data folder itself, wherever the database is. */
const sandboxIn = ({ named }: DataFolder): string => join(named, 'sandbox.json');

async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  await using handle = await open(folder, 'r');
  await handle.sync();
}

/** Writes the file completely or not at all; returns its size. */
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
  // Clean up on Ctrl-C, which ends the process.
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
    const why = full || `The backup failed: ${message}.`;
    throw new DatabaseUnavailable(why.replace(', or set KASSA_DATA_DIR to a folder on another disk', ''), {
      cause: error,
    });
  } finally {
    remove();
    process.off('exit', remove);
  }
}

/** Undefined if the file is not a backup of Kassa. */
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
    // Reading stops early; only the text matters.
  }
  try {
    const note = name === NOTE ? (JSON.parse(text) as BackupNote) : undefined;
    return note?.format === 1 ? note : undefined;
  } catch {
    return undefined;
  }
}

/** Restores a backup to the data folder; refuses if that has a database or a running service. */
export async function restoreBackup(
  given: { readonly dataDir: string; readonly sharedHome?: string; readonly file: string },
  onBytes: (bytes: number) => void = () => {},
): Promise<BackupNote> {
  const { dataDir, sharedHome, file } = given;
  if (!existsSync(file)) throw new DatabaseUnavailable(`There is no file ${file}.`);
  const note = await readBackupNote(file);
  if (note === undefined) throw new DatabaseUnavailable(`${file} is not a backup made by kassa backup.`);
  const source = await locatePackage();
  if (note.postgres !== source.major)
    throw new DatabaseUnavailable(
      `${file} was made with Postgres ${note.postgres}, but this Kassa includes Postgres ${source.major}: restore it with Kassa ${note.kassa}.`,
    );
  const folder = await openDataFolder(dataDir, sharedHome);
  const locks = [folder.serviceLock, folder.changeLock].map((lock) => tryExclusiveLock(lock));
  const part = `${folder.cluster}.part-${randomBytes(6).toString('hex')}`;
  try {
    if (locks.includes(undefined) || (await hasCluster(folder, source)))
      throw new DatabaseUnavailable(
        `${folder.named} already contains a database: stop Kassa and move that folder away, or set KASSA_DATA_DIR to a new one.`,
      );
    const room = roomOf(folder.home);
    if (room && room.bytes > 0 && room.freeBytes < note.bytes)
      throw new DatabaseUnavailable(
        `The database of ${file} has ${showBytes(note.bytes)}, but the disk of ${folder.home} has only ${showBytes(room.freeBytes)} free: free up space, or set KASSA_DATA_DIR to a folder on another disk.`,
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
    throw new DatabaseUnavailable(full ?? `${file} is damaged, so nothing was restored: ${message}.`, {
      cause: error,
    });
  } finally {
    for (const lock of locks) lock?.release();
  }
}

/** Extracts the files of the database to the folder; returns the files beside it as text. */
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
  if (!readdirSync(part).includes('backup_label') || !beside.has(PASSWORD)) throw new BadArchive('it is not complete');
  return beside;
}

/** Changes the owner of the content first, since only we can enter the folder until then. */
function giveTo(folder: string, user: { readonly uid: number; readonly gid: number }): void {
  for (const entry of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    lchownSync(join(folder, entry), user.uid, user.gid);
  lchownSync(folder, user.uid, user.gid);
}
