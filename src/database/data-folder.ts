// The data folder and what lies where in it. Mostly everything lies in the folder that the caller named. Root is the
// exception: the user that it lends to Postgres cannot enter a folder below, say, a mode-700 /root. Then the database
// lives below /var/lib/kassa, and a small text file in the data folder says where. That file decides from then on, so a
// data folder can be moved, and one that was deleted starts afresh under a new name.
//
// No link is followed: neither the data folder nor anything in it may be one, and in somebody else's folder root is that
// somebody before it begins.
import { chmod, chown, lstat, mkdir, mkdtemp, readdir, realpath, rmdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { readOwn, refuseLink, writeOwn, writeOwnOnce } from '../folders/own-file.ts';
import { actAsOwner } from '../folders/owner.ts';
import { DatabaseUnavailable } from './database-unavailable.ts';
import { ignoring } from './fault-code.ts';
import { canEnter, choosePostgresUser } from './postgres-user.ts';
import type { PostgresUser } from './postgres-user.ts';

export type DataFolder = {
  /** The folder that the caller named, for messages. */
  readonly named: string;
  /** The folder that everything below is in. */
  readonly home: string;
  readonly cluster: string;
  readonly password: string;
  readonly log: string;
  /** One running service. */
  readonly serviceLock: string;
  readonly servicePid: string;
  /** From where Postgres was started, see place.ts. */
  readonly place: string;
  /** One process at a time that looks for, makes, starts or stops Postgres. */
  readonly changeLock: string;
  /** Everybody who uses the running Postgres, shared. */
  readonly usersLock: string;
  /** Where root puts what Postgres' user cannot enter in its own place. */
  readonly sharedHome: string;
  readonly user: PostgresUser;
};

// Where Debian keeps the state of services; root can always make it, and everybody can enter it.
const SHARED_HOME = '/var/lib/kassa';
const POINTER = 'database-is-elsewhere.txt';
const LOCKS = 'locks';
const CLUSTER = 'postgres';

/** Whether there is a database, by the name of what lies in a data folder. */
export const tellsOfDatabase = (name: string): boolean => name === CLUSTER || name === POINTER;
const LOG = 'postgres.log';
// What is entered, or opened by others.
const WITHOUT_LINKS = ['postgres', LOG, LOCKS, ...['service', 'change', 'users'].map((name) => join(LOCKS, name))];

export async function openDataFolder(dataDir: string, sharedHome = SHARED_HOME): Promise<DataFolder> {
  const absolute = resolve(dataDir);
  actAsOwner(absolute);
  await mkdir(dirname(absolute), { recursive: true });
  await mkdir(absolute, { mode: 0o700 }).catch(ignoring('EEXIST'));
  const named = await realpath(absolute);
  // Also where the database is or will be elsewhere: whoever put a link there means it to be followed.
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
  // Before anything is started that somebody would have to stop again.
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
      `The database in ${named} runs as the user ${user?.name}, who cannot enter that folder: let that user in, or set KASSA_DATA_DIR to another folder.`,
    );
  }
  return { home: await makeHomeElsewhere(named, sharedHome, user), user };
}

// Lets the user into the folder (not list it, not write to it) where the folder is ours to change: root's, and either
// new or already a data folder. A folder above it is never changed.
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
      `Postgres does not run as root, and its user ${user?.name} can enter neither ${named} nor ${sharedHome}: run Kassa as an ordinary user, or set DATABASE_URL to a Postgres of yours.`,
    );
  }
  const text = `The database of this data folder is in\n${home}\nas Postgres does not run as root, and its user ${user?.name} cannot enter this folder.\n`;
  // Of two starters at the same instant, both use the winner's.
  if (writeOwnOnce(join(named, POINTER), text)) {
    writeOwn(join(home, 'data-folder.txt'), `This is the database of the data folder\n${named}\n`);
    return home;
  }
  await rmdir(home);
  return (await readPointer(named)) as string;
}

/** Makes the folder that all users may enter, whatever root's umask. */
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
    `The file ${pointer} says that the database is in ${home ?? 'no folder at all'}, which is not there: bring it back, or delete that file to begin with an empty database.`,
  );
}

function clusterIn(home: string): string {
  return join(home, CLUSTER);
}
