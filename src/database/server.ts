// Starts, awaits and stops Postgres. All calls are made under the change lock of the data folder. Postgres gets its own
// session, so that a Ctrl-C reaches only the service, which finishes its work and then stops Postgres.
import { execFile, spawn } from 'node:child_process';
import { closeSync, constants, fchownSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { openOwn } from '../folders/own-file.ts';
import type { Binaries } from './binaries.ts';
import { tryConnection } from './connection.ts';
import type { DataFolder } from './data-folder.ts';
import { DatabaseUnavailable } from './database-unavailable.ts';
import { explainFullDisk } from './full-disk.ts';
import { readLogTail, sizeOfLog, trimLog } from './log-file.ts';
import { findPostmaster, isAlive } from './postmaster.ts';
import { spawnOptionsFor } from './postgres-user.ts';
import { notePlace } from './place.ts';

const run = promisify(execFile);

// A start takes 0.1 s; after a crash, recovery takes some seconds, or more after heavy load.
const READY_LIMIT_MS = 60_000;
// A tenth of a normal start.
const LOOK_EVERY_MS = 10;
// Temporary failures: the port was taken in between; backends of a killed Postgres are still exiting; a killed Kassa had
// just launched another Postgres.
const PASSING = /Address already in use|shared memory block .* is still in use|lock file .* already exists/;
const RETRY_AFTER_MS = 100;
const NOT_READY = `is not ready after ${READY_LIMIT_MS / 1000} s`;
// A smart shutdown (SIGTERM) by someone else may wait forever for clients; after this we request a fast one.
const SLOW_STOP_LIMIT_MS = 10_000;
// A fast shutdown writes a checkpoint; an immediate one requires recovery at the next start.
const FAST_STOP_LIMIT_MS = 10_000;
const IMMEDIATE_STOP_LIMIT_MS = 10_000;
// Cheap: it reads one small file.
const WATCH_EVERY_MS = 500;

/** Returns a Postgres that accepts connections: the running one, or a new one. */
export async function bringUpServer(
  folder: DataFolder,
  binaries: () => Promise<Binaries>,
  password: string,
  onLaunch: () => void = () => {},
): Promise<{ pid: number; port: number; started: boolean }> {
  const deadline = performance.now() + READY_LIMIT_MS;
  for (;;) {
    const running = await awaitRunning(folder, password, deadline);
    if (running !== undefined) return { ...running, started: false };
    const programs = await binaries();
    trimLog(folder.log);
    const logStart = sizeOfLog(folder.log);
    const port = await findFreePort();
    notePlace(folder);
    onLaunch();
    const launched = launch(folder, programs, port);
    const outcome = await awaitStart(folder, launched, password, deadline).catch(async (error: unknown) => {
      // It runs, but does not accept connections.
      await stopServer(folder, binaries).catch(() => {});
      throw error;
    });
    if (outcome === 'ready') return { pid: launched.pid as number, port, started: true };
    const passing = PASSING.test(readLogTail(folder.log, logStart));
    if (outcome === 'late' || !passing || performance.now() > deadline) {
      // Let it finish recovery: otherwise the next start would begin again.
      throw describeFailure(folder, outcome === 'late' ? NOT_READY : 'did not start', logStart);
    }
    await sleep(RETRY_AFTER_MS);
  }
}

/** The running Postgres, once it accepts connections; undefined if none is running. */
async function awaitRunning(
  folder: DataFolder,
  password: string,
  deadline: number,
): Promise<{ pid: number; port: number } | undefined> {
  const slowStopUntil = performance.now() + SLOW_STOP_LIMIT_MS;
  let hurried = false;
  while (performance.now() < deadline) {
    const found = await findPostmaster(folder);
    if (found.kind === 'stale') await rm(found.file, { force: true });
    if (found.kind !== 'running') return undefined;
    const { pid, port, status } = found.postmaster;
    if (status === 'ready' && (await tryConnection(port, password)) === 'accepted') return { pid, port };
    if (status === 'stopping' && !hurried && performance.now() > slowStopUntil) {
      hurried = true;
      await askToStop(pid, 'SIGINT');
    }
    await sleep(LOOK_EVERY_MS);
  }
  throw describeFailure(folder, NOT_READY, 0);
}

type Launched = { readonly pid: number | undefined; ended(): boolean };

function launch(folder: DataFolder, binaries: Binaries, port: number): Launched {
  const log = openOwn(folder.log, constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND);
  if (folder.user !== undefined) fchownSync(log, folder.user.uid, folder.user.gid);
  const settings = [
    // Only loopback, and no Unix socket, whose path is limited to 107 bytes.
    'listen_addresses=127.0.0.1',
    `port=${port}`,
    'unix_socket_directories=',
  ];
  const child = spawn(binaries.postgres, ['-D', folder.cluster, ...settings.flatMap((setting) => ['-c', setting])], {
    ...spawnOptionsFor(folder.user),
    detached: true,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  let ended = false;
  child.once('exit', () => (ended = true));
  child.once('error', () => (ended = true));
  child.unref();
  return { pid: child.pid, ended: () => ended };
}

async function awaitStart(folder: DataFolder, launched: Launched, password: string, deadline: number) {
  while (performance.now() < deadline) {
    if (launched.ended()) return 'exited';
    const found = await findPostmaster(folder);
    const ready =
      found.kind === 'running' && found.postmaster.pid === launched.pid && found.postmaster.status === 'ready';
    if (ready && (await tryConnection(found.postmaster.port, password)) === 'accepted') return 'ready';
    await sleep(LOOK_EVERY_MS);
  }
  return 'late';
}

/** Polls whether Postgres is still running, and reports once if not; does not keep the process alive. */
export function watchServer(
  folder: DataFolder,
  pid: number,
  onEnded: (fault: DatabaseUnavailable) => void,
): { stop(): void } {
  const look = async (): Promise<void> => {
    if (await isAlive(pid)) return;
    if (stopped) return;
    stop();
    onEnded(
      new DatabaseUnavailable(
        `The Postgres of ${folder.named} exited unexpectedly; its log is ${folder.log}. Start Kassa again: no committed data is lost.`,
      ),
    );
  };
  let stopped = false;
  const timer = setInterval(() => void look(), WATCH_EVERY_MS).unref();
  const stop = (): void => {
    stopped = true;
    clearInterval(timer);
  };
  return { stop };
}

/** Stops the running Postgres, if any, and waits for its exit. */
export async function stopServer(folder: DataFolder, binaries: () => Promise<Binaries>): Promise<void> {
  const found = await findPostmaster(folder);
  if (found.kind !== 'running') return;
  const { pid } = found.postmaster;
  if (process.platform === 'win32') {
    // Windows has no signals, so use pg_ctl.
    await run((await binaries()).pgCtl, ['stop', '-D', folder.cluster, '-m', 'fast', '-w']);
    return;
  }
  await askToStop(pid, 'SIGINT');
  if (await awaitEnd(pid, FAST_STOP_LIMIT_MS)) return;
  await askToStop(pid, 'SIGQUIT');
  if (await awaitEnd(pid, IMMEDIATE_STOP_LIMIT_MS)) return;
  throw describeFailure(folder, `(pid ${pid}) does not stop`, 0);
}

async function askToStop(pid: number, signal: 'SIGINT' | 'SIGQUIT'): Promise<void> {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (await isAlive(pid)) throw error;
  }
}

async function awaitEnd(pid: number, limitMs: number): Promise<boolean> {
  const deadline = performance.now() + limitMs;
  while (await isAlive(pid)) {
    if (performance.now() > deadline) return false;
    await sleep(LOOK_EVERY_MS);
  }
  return true;
}

async function findFreePort(): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const server = createServer();
  server.once('error', reject);
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo;
    server.close(() => resolve(port));
  });
  return promise;
}

function describeFailure(folder: DataFolder, what: string, logStart: number): DatabaseUnavailable {
  const said = readLogTail(folder.log, logStart) || 'nothing';
  const full = explainFullDisk(folder.home, said, `its Postgres ${what}`);
  if (full !== undefined) return new DatabaseUnavailable(full);
  return new DatabaseUnavailable(`The Postgres of ${folder.named} ${what}. From its log (${folder.log}):\n${said}`);
}
