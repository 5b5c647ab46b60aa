// The interface of the embedded Postgres. It is used by the service, one per data folder, and by any number of tools,
// beside a service or alone. All users of the running Postgres share the users lock; finding, starting and stopping it
// happen under the change lock. The last tool to leave stops Postgres. A service always stops it on shutdown.
import { dirname, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { FolderRefused, readOwn, writeOwn } from '../folders/own-file.ts';
import { locatePackage, prepareBinaries } from './binaries.ts';
import { createCluster, hasCluster, readPassword, removeParts } from './cluster.ts';
import { buildUrl, DISK_FULL } from './connection.ts';
import { openDataFolder } from './data-folder.ts';
import type { DataFolder } from './data-folder.ts';
import { DatabaseUnavailable } from './database-unavailable.ts';
import { explainFullDisk } from './full-disk.ts';
import { tryExclusiveLock, trySharedLock, withExclusiveLock } from './folder-lock.ts';
import type { FolderLock } from './folder-lock.ts';
import { keepLogSmall } from './log-file.ts';
import { refuseUnseen } from './place.ts';
import { isAlive } from './postmaster.ts';
import { bringUpServer, stopServer, watchServer } from './server.ts';

export type EmbeddedDatabase = {
  readonly url: string;
  /** False if it was already running. */
  readonly started: boolean;
  /** True if the folder had no database before. */
  readonly created: boolean;
  stop(): Promise<void>;
};

/** sharedHome: where root puts the database if Postgres' user cannot enter the data folder (/var/lib/kassa). */
type Options = {
  readonly dataDir: string;
  readonly sharedHome?: string;
  /** Called when Postgres exits without stop(). It is not restarted, since users would not learn its new address. */
  readonly onEnded?: (fault: DatabaseUnavailable) => void;
  /** Called at the start of slow steps, which can take seconds, or half a minute on a slow machine. */
  readonly onStep?: (step: EmbeddedStep) => void;
};
/** The folder of the database, which is not always the configured one. */
export type EmbeddedStep = { readonly kind: 'copy programs' | 'create' | 'launch'; readonly folder: string };
type Joined = {
  readonly url: string;
  readonly pid: number;
  readonly started: boolean;
  readonly created: boolean;
  readonly users: FolderLock;
};

// Longer than a holder may take to wait for a Postgres, create a cluster and start it.
const CHANGE_LIMIT_MS = 240_000;
// The pid is written just after the lock is taken; retry interval for readers in between.
const PID_LOOKS = 10;
const PID_LOOK_EVERY_MS = 20;

/** For the service: fails if another service runs on the folder; stop() stops Postgres. */
export async function startEmbeddedDatabase(options: Options): Promise<EmbeddedDatabase> {
  return explainFaults(options.dataDir, async () => {
    const folder = await openDataFolder(options.dataDir, options.sharedHome);
    const service = await lockForService(folder);
    try {
      const joined = await join(folder, options.onStep);
      const log = keepLogSmall(folder.log);
      const watch = watchServer(folder, joined.pid, (fault) => options.onEnded?.(fault));
      const stop = once(async () => {
        log.stop();
        watch.stop();
        await leave(folder, joined, 'always').finally(() => service.release());
      });
      return { url: joined.url, started: joined.started, created: joined.created, stop };
    } catch (error) {
      service.release();
      throw error;
    }
  });
}

/** For tools: uses the running Postgres, or starts it; stop() stops it unless others use it. */
export async function useEmbeddedDatabase(options: Options): Promise<EmbeddedDatabase> {
  return explainFaults(options.dataDir, async () => {
    const folder = await openDataFolder(options.dataDir, options.sharedHome);
    const { onEnded, onStep } = options;
    const joined = await join(folder, onStep);
    const watch = onEnded && watchServer(folder, joined.pid, onEnded);
    const stop = once(async () => {
      watch?.stop();
      await leave(folder, joined, 'if unused');
    });
    return { url: joined.url, started: joined.started, created: joined.created, stop };
  });
}

async function join(folder: DataFolder, onStep: Options['onStep'] = () => {}): Promise<Joined> {
  return withExclusiveLock(folder.changeLock, CHANGE_LIMIT_MS, async () => {
    refuseUnseen(folder);
    const source = await locatePackage();
    const tell = (kind: EmbeddedStep['kind']) => (): void => onStep({ kind, folder: folder.home });
    const binaries = once(() => prepareBinaries(source, folder, tell('copy programs')));
    await removeParts(folder);
    const created = !(await hasCluster(folder, source));
    if (created) {
      const programs = await binaries();
      tell('create')();
      await createCluster(folder, programs);
    }
    const password = readPassword(folder);
    const { pid, port, started } = await bringUpServer(folder, binaries, password, tell('launch'));
    const users = trySharedLock(folder.usersLock);
    // It is only taken exclusively under the change lock, which we hold.
    if (users === undefined) throw new Error(`${folder.usersLock} was taken outside the change lock`);
    return { url: buildUrl(port, password), pid, started, created, users };
  });
}

async function leave(folder: DataFolder, joined: Joined, when: 'always' | 'if unused'): Promise<void> {
  await withExclusiveLock(folder.changeLock, CHANGE_LIMIT_MS, async () => {
    joined.users.release();
    const unused = tryExclusiveLock(folder.usersLock);
    try {
      if (unused === undefined && when === 'if unused') return;
      await stopServer(folder, async () => prepareBinaries(await locatePackage(), folder));
    } finally {
      unused?.release();
    }
  });
}

async function lockForService(folder: DataFolder): Promise<FolderLock> {
  const lock = tryExclusiveLock(folder.serviceLock);
  if (lock !== undefined) {
    writeOwn(folder.servicePid, String(process.pid));
    return lock;
  }
  const pid = await readServicePid(folder);
  throw new DatabaseUnavailable(
    `The data folder ${folder.named} is in use by a running Kassa${pid === undefined ? '' : ` (pid ${pid})`}. Stop it, or set KASSA_DATA_DIR to another folder.`,
  );
}

async function readServicePid(folder: DataFolder): Promise<number | undefined> {
  for (let look = 0; look < PID_LOOKS; look += 1) {
    const pid = Number(readOwn(folder.servicePid));
    if (pid > 0 && (await isAlive(pid))) return pid;
    await sleep(PID_LOOK_EVERY_MS);
  }
  return undefined;
}

// File system errors become messages; other errors are defects.
async function explainFaults<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof FolderRefused) throw new DatabaseUnavailable(error.message, { cause: error });
    const { code, path, dest, syscall, message } = error as NodeJS.ErrnoException & { readonly dest?: string };
    if (error instanceof DatabaseUnavailable || code === undefined) throw error;
    if (['ENOSPC', 'EDQUOT', 'ERR_SQLITE_ERROR', DISK_FULL].includes(code)) {
      const file = dest ?? path;
      const where = file === undefined ? resolve(dataDir) : dirname(file);
      const full = explainFullDisk(where, message, 'the embedded Postgres cannot be started');
      if (full !== undefined) throw new DatabaseUnavailable(full, { cause: error });
    }
    if (code === 'ERR_SQLITE_ERROR') {
      throw new DatabaseUnavailable(`The data folder ${dataDir} cannot be locked (${message}).`, { cause: error });
    }
    if (syscall === undefined) throw error;
    throw new DatabaseUnavailable(
      `The data folder ${dataDir} cannot be used (${code}${path === undefined ? '' : ` at ${path}`}): make it writable, or set KASSA_DATA_DIR to another folder.`,
      { cause: error },
    );
  }
}

function once<T>(work: () => Promise<T>): () => Promise<T> {
  let done: Promise<T> | undefined;
  return () => (done ??= work());
}
