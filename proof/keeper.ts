// Ends what a trial or the test suite leaves behind, however it ends: also by kill -9, which it could not answer itself.
// A process of its own that waits until the pipe from its parent closes. Everything that the parent started has its run
// folder as TMPDIR, in its arguments or as its working folder; those processes are ended, and the folder is removed.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

// A process that was killed is gone in milliseconds, and cannot start others any more.
const LOOK_EVERY_MS = 20;
const MOST_LOOKS = 500;
// Whoever is between a fork and the program that it becomes is nobody's for an instant.
const EMPTY_LOOKS = 3;
// A Postgres that is killed leaves its shared memory behind for as long as the machine runs. So it is asked to quit at
// once, which takes it a tenth of a second; after 3 s it is killed all the same.
const LOOKS_FOR_POSTGRES = 150;
// Where root puts a database whose user cannot enter the run's folders, see src/database/data-folder.ts.
const SHARED_HOME = '/var/lib/kassa';

const [runFolder] = process.argv.slice(2);
if (runFolder === undefined) throw new Error('The run folder is missing.');

function readOrNothing(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}

/** The run folder, and the homes that root made elsewhere for data folders in it. */
function listFolders(): string[] {
  const names = readOrNothing(() => readdirSync(SHARED_HOME).join('\n')).split('\n');
  const homes = names.filter((name) => name.startsWith('data-')).map((name) => join(SHARED_HOME, name));
  const isOfRun = (home: string): boolean =>
    readOrNothing(() => readFileSync(join(home, 'data-folder.txt'), 'utf8')).includes(runFolder as string);
  return [runFolder as string, ...homes.filter(isOfRun)];
}

const argumentsOf = (pid: number): string => readOrNothing(() => readFileSync(`/proc/${pid}/cmdline`, 'latin1'));

/** Nobody else has the folder's random name. A zombie has neither environment nor arguments. */
function isOurs(pid: number, folders: readonly string[]): boolean {
  const texts = [
    argumentsOf(pid),
    readOrNothing(() => readFileSync(`/proc/${pid}/environ`, 'latin1')),
    readOrNothing(() => readlinkSync(`/proc/${pid}/cwd`)),
  ];
  return folders.some((folder) => texts.some((text) => text.includes(folder)));
}

function listOurs(): number[] {
  const folders = listFolders();
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid !== process.pid && isOurs(pid, folders));
}

function signal(pid: number, name: 'SIGKILL' | 'SIGQUIT' | 'SIGCONT'): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended meanwhile.
  }
}

/** Of a server, and not of one of its processes, which call themselves `postgres: …` and end with it. */
const isPostmaster = (pid: number): boolean => {
  const [program = '', ...rest] = argumentsOf(pid).split('\0');
  return basename(program) === 'postgres' && rest.includes('-D');
};

/** Asks it to quit, once; a trial may have stopped it. */
function endPostgres(pid: number, asked: Set<number>): void {
  if (!asked.has(pid) && isPostmaster(pid)) signal(pid, 'SIGQUIT');
  asked.add(pid);
  signal(pid, 'SIGCONT');
}

const isPostgres = (pid: number): boolean => /^(?:[^\0]*\/)?postgres(?:: |\0)/.test(argumentsOf(pid));

async function endAll(): Promise<void> {
  const asked = new Set<number>();
  for (let [look, empty] = [0, 0]; look < MOST_LOOKS && empty < EMPTY_LOOKS; look += 1) {
    const pids = listOurs();
    for (const pid of pids) {
      if (look < LOOKS_FOR_POSTGRES && isPostgres(pid)) endPostgres(pid, asked);
      else signal(pid, 'SIGKILL');
    }
    empty = pids.length === 0 ? empty + 1 : 0;
    await sleep(LOOK_EVERY_MS);
  }
}

async function cleanUp(): Promise<void> {
  // Only Linux tells about other processes; elsewhere the folder is all that can be cleaned up.
  if (process.platform === 'linux') await endAll();
  for (const folder of listFolders()) await rm(folder, { recursive: true, force: true, maxRetries: 3 });
}

for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => {});
process.stdin.resume();
process.stdin.once('close', () => void cleanUp());
