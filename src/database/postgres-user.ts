// The user that runs Postgres. Normal users run it as themselves. Postgres refuses to run as root, so root runs it as an
// unprivileged user; initdb requires one in /etc/passwd, and Debian always has nobody.
import { execFile } from 'node:child_process';
import { lstat, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { DatabaseUnavailable } from './database-unavailable.ts';

/** Undefined: the current user. */
export type PostgresUser = { readonly uid: number; readonly gid: number; readonly name: string } | undefined;

const run = promisify(execFile);

// In order of preference; every Unix has the last ones.
const CANDIDATES = ['postgres', 'nobody', 'daemon'];
// A shell responds in milliseconds; longer means a hung file system.
const PROBE_LIMIT_MS = 10_000;

/** The user for the cluster folder: its owner if it exists, otherwise the first candidate. */
export async function choosePostgresUser(clusterDir: string): Promise<PostgresUser> {
  if (process.getuid?.() !== 0) return undefined;
  const owner = await lstat(clusterDir).catch(() => undefined);
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid, name: `${owner.uid}` };
  const passwd = await readFile('/etc/passwd', 'utf8').catch(() => '');
  const users = passwd.split('\n').map((line) => line.split(':'));
  for (const candidate of CANDIDATES) {
    const [name, , uid, gid] = users.find((fields) => fields[0] === candidate) ?? [];
    if (name !== undefined && Number(uid) > 0 && Number(gid) > 0) return { uid: Number(uid), gid: Number(gid), name };
  }
  throw new DatabaseUnavailable(
    `Postgres does not run as root, and this machine has none of the users ${CANDIDATES.join(', ')}: run Kassa as a normal user, or set DATABASE_URL to your own Postgres.`,
  );
}

/** Spawn options for that user: its ids, an accessible folder, and none of our environment (PGDATA, …). */
export function spawnOptionsFor(user: PostgresUser) {
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin' };
  const ids = user === undefined ? {} : { uid: user.uid, gid: user.gid };
  return { ...ids, cwd: '/', env: { ...env, LC_ALL: 'C', TZ: 'UTC' }, windowsHide: true };
}

/** Whether that user can enter the folder: tried as that user, since modes, groups, ACLs and mounts all matter. */
export async function canEnter(user: PostgresUser, folder: string): Promise<boolean> {
  return user === undefined || askShell(user, 'cd "$1"', [folder]);
}

/** Whether both are the same folder. Checked as that user: root in a container may not inspect another user's process. */
export async function isSameFolder(one: string, other: string, user: PostgresUser): Promise<boolean> {
  return askShell(user, '[ "$1" -ef "$2" ]', [one, other]);
}

async function askShell(user: PostgresUser, script: string, words: readonly string[]): Promise<boolean> {
  try {
    await run('/bin/sh', ['-c', script, 'sh', ...words], { ...spawnOptionsFor(user), timeout: PROBE_LIMIT_MS });
    return true;
  } catch (error) {
    const { code, signal } = error as { code?: unknown; signal?: unknown };
    if (typeof code === 'number') return false;
    // A Ctrl-C killed the shell, which says nothing about the folder, but stopping Postgres needs the answer.
    if (signal === 'SIGINT') return askShell(user, script, words);
    throw new DatabaseUnavailable(
      `Running /bin/sh as ${user?.name ?? 'ourselves'} for Postgres, which does not run as root, failed (${String(code)}): run Kassa as a normal user, or set DATABASE_URL to your own Postgres.`,
    );
  }
}
