// Whether a Postgres runs on a cluster, according to its postmaster.pid. After a crash or a reboot, that file names a
// process that is gone, or a foreign one with the same pid, so the process must be alive and be a postgres of this
// folder.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { readOwn } from '../folders/own-file.ts';
import type { DataFolder } from './data-folder.ts';
import { codeOf } from './fault-code.ts';
import { isSameFolder } from './postgres-user.ts';

export type Postmaster = { readonly pid: number; readonly port: number; readonly status: string };
export type Found =
  | { readonly kind: 'none' }
  /** The file names a foreign process or a zombie, which Postgres would mistake for its own. */
  | { readonly kind: 'stale'; readonly file: string }
  | { readonly kind: 'running'; readonly postmaster: Postmaster };

const run = promisify(execFile);

export async function findPostmaster(folder: DataFolder): Promise<Found> {
  const file = join(folder.cluster, 'postmaster.pid');
  const text = readOwn(file);
  if (text === undefined) return { kind: 'none' };
  // Pid, folder, start, port, socket folder, address, memory key, status; the last lines appear during the start.
  const lines = text.split('\n').map((line) => line.trim());
  const pid = Number(lines[0]);
  if (!Number.isSafeInteger(pid) || pid <= 0) return { kind: 'stale', file };
  if (!exists(pid)) return { kind: 'none' };
  if (!(await isAlive(pid)) || !(await isPostmasterOf(pid, folder))) return { kind: 'stale', file };
  return { kind: 'running', postmaster: { pid, port: Number(lines[3]), status: lines[7] ?? '' } };
}

function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

/** Alive and not a zombie (as in a container whose init does not reap). */
export async function isAlive(pid: number): Promise<boolean> {
  if (!exists(pid)) return false;
  if (process.platform !== 'linux') return true;
  const line = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  // The state follows the name in brackets, which may contain any character.
  const state = line?.slice(line.lastIndexOf(')') + 2, line.lastIndexOf(')') + 3);
  return state !== undefined && state !== 'Z' && state !== 'X';
}

// Compares the working folder of Postgres, not its name, since the folder may have been moved, copied or remounted.
async function isPostmasterOf(pid: number, folder: DataFolder): Promise<boolean> {
  if (process.platform === 'win32') return true;
  if (process.platform !== 'linux') {
    const listed = await run('ps', ['-ww', '-o', 'command=', '-p', String(pid)]).catch(() => ({ stdout: '' }));
    return listed.stdout.includes('postgres') && listed.stdout.includes(folder.cluster);
  }
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  if (basename(command.split('\0')[0] ?? '') !== 'postgres') return false;
  return isSameFolder(`/proc/${pid}/cwd`, folder.cluster, folder.user);
}
