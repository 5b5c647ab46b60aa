// Reads and writes files in a folder that others may be able to write to. Links are never followed, and files are written
// to a temporary file with an unpredictable name, which is then renamed.
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fchownSync,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';

/** An error for the user who chose the folder. */
export class FolderRefused extends Error {
  override readonly name = 'FolderRefused';
}

// Without O_NONBLOCK, a pipe would block us. Windows has neither flag.
const AS_ITSELF = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
// These files have only a line or two.
const MOST_BYTES = 65_536;

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

const aLink = (path: string): FolderRefused =>
  new FolderRefused(`${path} is a link, and Kassa follows none: put there what it leads to, or delete it.`);

/** Refuses a link; a missing file is fine. */
export function refuseLink(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) throw aLink(path);
}

/** Opens only a regular file, without following links. */
export function openOwn(file: string, flags: number): number {
  let fd;
  try {
    fd = openSync(file, flags | AS_ITSELF, 0o600);
  } catch (error) {
    if (codeOf(error) === 'ELOOP') throw aLink(file);
    throw error;
  }
  if (fstatSync(fd).isFile()) return fd;
  closeSync(fd);
  throw new FolderRefused(`${file} is no ordinary file, and Kassa uses no other: delete it.`);
}

/** Undefined if there is none. */
export function readOwn(file: string): string | undefined {
  let fd;
  try {
    fd = openOwn(file, constants.O_RDONLY);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const bytes = Buffer.alloc(MOST_BYTES);
    return bytes.toString('utf8', 0, readSync(fd, bytes));
  } finally {
    closeSync(fd);
  }
}

type Owner = { readonly uid: number; readonly gid: number };

function writeDraft(file: string, content: string | Buffer, owner: Owner | undefined): string {
  const draft = `${file}.${randomBytes(6).toString('hex')}.draft`;
  // Fails if the name exists, even as a link.
  const fd = openSync(draft, 'wx', 0o600);
  try {
    writeFileSync(fd, content);
    if (owner !== undefined) fchownSync(fd, owner.uid, owner.gid);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  return draft;
}

/** Creates or replaces a file atomically, with mode 600. */
export function writeOwn(file: string, content: string | Buffer, owner?: Owner): void {
  const draft = writeDraft(file, content, owner);
  try {
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** Creates a file atomically; false if it exists. */
export function writeOwnOnce(file: string, content: string): boolean {
  const draft = writeDraft(file, content, undefined);
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}
