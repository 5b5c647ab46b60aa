// The data folder and its layout. Usually everything is in the configured folder. The exception is root: the unprivileged
// user that runs Postgres cannot enter a folder below, say, a mode-700 /root. Then the database is below /var/lib/kassa,
// and a small text file in the data folder points to it. A data folder can therefore be moved, and a deleted one starts
// afresh.
//
// Links are never followed: neither the data folder nor anything in it may be one, and in another user's folder root first
// becomes that user.
import { chmod, chown, lstat, mkdir, mkdtemp, readdir, realpath, rmdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { readOwn, refuseLink, writeOwn, writeOwnOnce } from '../folders/own-file.ts';
import { actAsOwner } from '../folders/owner.ts';
import { DatabaseUnavailable } from './database-unavailable.ts';
import { ignoring } from './fault-code.ts';
import { canEnter, choosePostgresUser } from './postgres-user.ts';
import type { PostgresUser } from './postgres-user.ts';

export type DataFolder = {
  /** The configured folder, for messages. */
  readonly named: string;
  /** The folder that contains everything below. */
  readonly home: string;
  readonly cluster: string;
  readonly password: string;
  readonly log: string;
  /** Held by the running service. */
  readonly serviceLock: string;
  readonly servicePid: string;
  /** Where Postgres was started, see place.ts. */
  readonly place: string;
  /** Held while finding, creating, starting or stopping Postgres. */
  readonly changeLock: string;
  /** Shared by all users of the running Postgres. */
  readonly usersLock: string;
  /** Where root puts the database if Postgres' user cannot enter the data folder. */
  readonly sharedHome: string;
  readonly user: PostgresUser;
};

// Debian's place for service state: root can always create it, and everyone can enter it.
const SHARED_HOME = '/var/lib/kassa';
const POINTER = 'database-is-elsewhere.txt';
const LOCKS = 'locks';
const CLUSTER = 'postgres';

/** Whether a file in a data folder shows that there is a database. */
export const tellsOfDatabase = (name: string): boolean => name === CLUSTER || name === POINTER;
const LOG = 'postgres.log';
// Folders that are entered, and files that other programs open.
const WITHOUT_LINKS = ['postgres', LOG, LOCKS, ...['service', 'change', 'users'].map((name) => join(LOCKS, name))];

export async function openDataFolder(dataDir: string, sharedHome = SHARED_HOME): Promise<DataFolder> {
  const absolute = resolve(dataDir);
  actAsOwner(absolute);
  await mkdir(dirname(absolute), { recursive: true });
  await mkdir(absolute, { mode: 0o700 }).catch(ignoring('EEXIST'));
  const named = await realpath(absolute);
  // Also if the database is elsewhere: a link would be a trap.
  refuseLinksIn(named);
  const { home, user } = await findHome(named, sharedHome);
  await mkdir(join(home, LOCKS), { mode: 0o700 }).catch(ignoring('EEXIST'));
  const folder = {
    named,
    home,
    cluster: clusterIn(home),
    password: join(home, 'postgres.password'),
    log: join(home, LOG),
    serviceLock: join(home, LOCKS, 'service'),
    servicePid: join(home, LOCKS, 'service.pid'),
    place: join(home, LOCKS, 'place'),
    changeLock: join(home, LOCKS, 'change'),
    usersLock: join(home, LOCKS, 'users'),
    sharedHome,
    user,
  };
  // Before anything is started.
  refuseLinksIn(home);
  return folder;
}

function refuseLinksIn(home: string): void {
  for (const entry of WITHOUT_LINKS) refuseLink(join(home, entry));
}

async function findHome(named: string, sharedHome: string): Promise<{ home: string; user: PostgresUser }> {
  const elsewhere = await readPointer(named);
  if (elsewhere !== undefined) return { home: elsewhere, user: await choosePostgresUser(clusterIn(elsewhere)) };
  const user = await choosePostgresUser(clusterIn(named));
  if (await letEnter(named, user)) return { home: named, user };
  if ((await lstat(clusterIn(named)).catch(() => undefined)) !== undefined) {
    throw new DatabaseUnavailable(
      `The database in ${named} runs as the user ${user?.name}, who cannot enter that folder: grant that user access, or set KASSA_DATA_DIR to another folder.`,
    );
  }
  return { home: await makeHomeElsewhere(named, sharedHome, user), user };
}

// Allows the user to enter the folder (not to list or write it) if the folder is root's, and new or already a data folder.
// Parent folders are never changed.
async function letEnter(folder: string, user: PostgresUser): Promise<boolean> {
  if (await canEnter(user, folder)) return true;
  const { uid, mode } = await stat(folder);
  const entries = await readdir(folder);
  if (user === undefined || uid !== 0 || (entries.length > 0 && !entries.includes(LOCKS))) return false;
  await chown(folder, uid, user.gid);
  await chmod(folder, (mode & 0o700) | 0o010);
  return canEnter(user, folder);
}

async function makeHomeElsewhere(named: string, sharedHome: string, user: PostgresUser): Promise<string> {
  await makeSharedHome(sharedHome);
  const home = await mkdtemp(join(sharedHome, 'data-'));
  if (!(await letEnter(home, user))) {
    await rmdir(home);
    throw new DatabaseUnavailable(
      `Postgres does not run as root, and its user ${user?.name} can enter neither ${named} nor ${sharedHome}: run Kassa as a normal user, or set DATABASE_URL to your own Postgres.`,
    );
  }
  const text = `The database of this data folder is in\n${home}\nas Postgres does not run as root, and its user ${user?.name} cannot enter this folder.\n`;
  // If two processes start at the same time, both use the winner's.
  if (writeOwnOnce(join(named, POINTER), text)) {
    writeOwn(join(home, 'data-folder.txt'), `This is the database of the data folder\n${named}\n`);
    return home;
  }
  await rmdir(home);
  return (await readPointer(named)) as string;
}

/** Creates a folder that all users may enter, whatever root's umask. */
export async function makeSharedHome(sharedHome: string): Promise<void> {
  actAsOwner(sharedHome);
  const made = await mkdir(sharedHome, { recursive: true });
  if (made !== undefined) await chmod(sharedHome, 0o755);
}

async function readPointer(named: string): Promise<string | undefined> {
  const pointer = join(named, POINTER);
  const text = readOwn(pointer);
  if (text === undefined) return undefined;
  const home = text.split('\n').find((line) => line.startsWith('/'));
  if (home !== undefined && (await lstat(home).catch(() => undefined))?.isDirectory()) return home;
  throw new DatabaseUnavailable(
    `The file ${pointer} points to a database in ${home ?? 'no folder at all'}, which does not exist: restore it, or delete that file to start with an empty database.`,
  );
}

function clusterIn(home: string): string {
  return join(home, CLUSTER);
}
