// The owner of a folder. If root works in another user's folder, that user can trick it by swapping a file between check
// and use. So root permanently becomes that user before it touches anything, and the kernel enforces the owner's
// permissions. If that is impossible, root refuses.
import { execFileSync } from 'node:child_process';
import { lstatSync, readFileSync, realpathSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { dirname, join, parse, resolve, sep } from 'node:path';
import { FolderRefused } from './own-file.ts';

type User = { readonly uid: number; readonly gid: number; readonly name: string };
type Verdict = { readonly kind: 'ours' } | { readonly kind: 'theirs'; readonly uid: number };

const OURS: Verdict = { kind: 'ours' };
const STICKY = 0o1000;
// A shell responds in milliseconds; longer means a hung file system.
const PROBE_LIMIT_MS = 10_000;

const isRoot = (): boolean => process.getuid?.() === 0;

function look(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** Whether only root can write to it. Root's group counts as root; the sticky bit protects root's files. */
function isRootsAlone({ uid, gid, mode }: Stats, isSticky = (mode & STICKY) !== 0): boolean {
  const others = (mode & 0o002) !== 0 || ((mode & 0o020) !== 0 && gid !== 0);
  return uid === 0 && (isSticky || !others);
}

/** The first folder on a path in which another user could swap the next component. */
function findForeign(path: string): string | undefined {
  const { root } = parse(path);
  let prefix = root;
  for (const name of ['', ...path.slice(root.length).split(sep)]) {
    prefix = join(prefix, name);
    const found = lstatSync(prefix);
    if (!found.isSymbolicLink()) {
      if (found.isDirectory() && !isRootsAlone(found)) return prefix;
    } else {
      // Root's own link, such as /tmp on macOS: follow it.
      if (found.uid !== 0) return prefix;
      const foreign = findForeign(realpathSync(prefix));
      if (foreign !== undefined) return foreign;
    }
  }
  return undefined;
}

function refuseMixed(folder: string, foreign: string): FolderRefused {
  return new FolderRefused(
    `Root does not work in ${folder}, since others may write to ${foreign}: run Kassa as a normal user, or use a folder that is root's alone, all the way.`,
  );
}

function judge(folder: string): Verdict {
  const found = look(folder);
  if (found?.isSymbolicLink())
    throw new FolderRefused(`${folder} is a link, and Kassa follows none: name the folder that it leads to.`);
  if (!isRoot()) return OURS;
  let nearest = folder;
  while (look(nearest) === undefined) nearest = dirname(nearest);
  const { uid } = lstatSync(nearest);
  if (uid !== 0) return { kind: 'theirs', uid };
  const isOpen = found?.isDirectory() && !isRootsAlone(found, false);
  const foreign = isOpen ? folder : findForeign(nearest);
  if (foreign !== undefined) throw refuseMixed(folder, foreign);
  return OURS;
}

/** Looks up the user, locally or in a network directory. */
function findUser(uid: number): User | undefined {
  const network = (): string =>
    execFileSync('/usr/bin/getent', ['passwd', String(uid)], { timeout: PROBE_LIMIT_MS, encoding: 'utf8' });
  for (const list of [() => readFileSync('/etc/passwd', 'utf8'), network]) {
    try {
      const lines = list().split('\n');
      const [name, , , gid] = lines.map((line) => line.split(':')).find((fields) => fields[2] === String(uid)) ?? [];
      if (name !== undefined) return { uid, gid: Number(gid), name };
    } catch {
      // Not available here.
    }
  }
  return undefined;
}

/** Whether that user can run this program from here. */
function canRead({ uid, gid }: User): boolean {
  const words = ['-c', '[ -r "$1" ] && [ -x "$2" ]', 'sh', import.meta.filename, process.execPath];
  try {
    execFileSync('/bin/sh', words, { uid, gid, cwd: '/', timeout: PROBE_LIMIT_MS, stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const CHOICES = "run Kassa as that user, or use a folder of root's";

/** Must be called before anything in the folder is touched. The folder need not exist yet. */
export function actAsOwner(named: string): void {
  const folder = resolve(named);
  const verdict = judge(folder);
  if (verdict.kind === 'ours') return;
  const user = findUser(verdict.uid);
  if (user === undefined)
    throw new FolderRefused(
      `Root writes nothing into a folder of somebody else, and ${folder} belongs to the user ${verdict.uid}, whom this machine does not know: ${CHOICES}.`,
    );
  if (!canRead(user))
    throw new FolderRefused(
      `Root writes nothing into a folder of somebody else, and ${folder} belongs to the user ${user.name}, who cannot read the program: ${CHOICES}.`,
    );
  process.setgroups?.([user.gid]);
  process.setgid?.(user.gid);
  process.setuid?.(user.uid);
}

/** Refuses a folder whose content cannot be trusted. */
export function requireOurs(named: string): void {
  const folder = resolve(named);
  const verdict = judge(folder);
  if (verdict.kind === 'theirs')
    throw new FolderRefused(
      `Root uses nothing in a folder of somebody else, and ${folder} belongs to the user ${verdict.uid}: ${CHOICES}.`,
    );
}

export function isOurs(named: string): boolean {
  try {
    requireOurs(named);
    return true;
  } catch {
    return false;
  }
}
