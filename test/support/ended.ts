// A run of ours that is ended midway, and what is left of it: processes and files. The run gets a folder of its own as
// TMPDIR, so that whatever it starts is found by it, and by who started whom at the moment at which it is ended.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, rmdir } from 'node:fs/promises';
import { readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from '../../proof/program.ts';
import { childrenOf, isGone } from './process-tree.ts';

/** The parent is killed as `kill -9` does, and the run has to notice. */
export type Way = 'SIGTERM' | 'SIGINT' | 'SIGKILL' | 'SIGKILL of its parent';

/** Seen by the arguments of what the run has started, or by what it has said. */
export type Moment = { readonly when: string; readonly started?: RegExp; readonly said?: RegExp };

export type Ending = {
  /** What Node is started with: the program and its arguments. */
  readonly args: readonly [string, ...string[]];
  readonly moment: Moment;
  readonly way: Way;
};

export const SUITE = ['test/run.ts', 'http/health'] as const;
export const MAKES_POSTGRES: Moment = { when: 'its database is made', started: /initdb/ };
export const POSTGRES_RUNS: Moment = { when: 'its Postgres runs', started: /^postgres: .*checkpointer/ };
export const WORKER_RUNS: Moment = { when: 'a worker runs', started: /test\/suite\/worker\.ts/ };

const LOOK_EVERY_MS = 50;
// A machine that does other things may take a minute to the first Postgres.
const MOMENT_LIMIT_MS = 240_000;
// What is asked to end has 20 s for it, and the keeper 10 s more for what does not.
const GONE_LIMIT_MS = 90_000;

const CODES = { SIGTERM: 130, SIGINT: 130, SIGKILL: 137 } as const;

function readOrNothing(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}

const argumentsOf = (pid: number): string =>
  readOrNothing(() => readFileSync(`/proc/${pid}/cmdline`, 'latin1')).replaceAll('\0', ' ');

/** All that have the folder in their environment or arguments, or work in it. */
function listIn(folder: string): number[] {
  const isIn = (pid: number): boolean =>
    argumentsOf(pid).includes(folder) ||
    readOrNothing(() => readFileSync(`/proc/${pid}/environ`, 'latin1')).includes(folder) ||
    readOrNothing(() => readlinkSync(`/proc/${pid}/cwd`)).startsWith(folder);
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter(isIn);
}

const descendantsOf = (pid: number): number[] => childrenOf(pid).flatMap((child) => [child, ...descendantsOf(child)]);

async function until(what: string, limitMs: number, holds: () => boolean, tell: () => string): Promise<void> {
  const deadline = performance.now() + limitMs;
  while (!holds()) {
    assert.ok(performance.now() < deadline, `waited in vain for ${what}: ${tell()}`);
    await sleep(LOOK_EVERY_MS);
  }
}

/** Starts it, ends it at that moment, and fails when a process or a file is left. Returns how many processes there were. */
export async function endMidway({ args, moment, way }: Ending): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'ended-'));
  // Postgres runs as another user where this runs as root.
  await chmod(folder, 0o1777);
  // A shell that has more to do stays its parent.
  const shell = spawn('sh', ['-c', '"$@"; exit $?', 'sh', process.execPath, ...args], {
    cwd: root,
    env: { PATH: process.env['PATH'], TMPDIR: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [shell.stdout, shell.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const ended = once(shell, 'exit') as Promise<[code: number | null]>;
  const isThere = (): boolean => {
    assert.equal(shell.exitCode, null, `it has ended before ${moment.when}: ${said}`);
    if (moment.said !== undefined) return moment.said.test(said);
    return listIn(folder).some((pid) => moment.started?.test(argumentsOf(pid)));
  };
  await until(moment.when, MOMENT_LIMIT_MS, isThere, () => said);

  const before = new Set([...listIn(folder), ...descendantsOf(shell.pid as number)]);
  const [run] = childrenOf(shell.pid as number);
  assert.ok(run, `the shell has no child ${moment.when}`);
  if (way === 'SIGKILL of its parent') shell.kill('SIGKILL');
  else process.kill(run, way);
  const [code] = await ended;
  if (way !== 'SIGKILL of its parent') assert.equal(code, CODES[way], said);

  const left = (): number[] => [...new Set([...before, ...listIn(folder)])].filter((pid) => !isGone(pid));
  const tellLeft = (): string => `${left().map(argumentsOf).join('\n')}\n${said}`;
  await until('its processes to end', GONE_LIMIT_MS, () => left().length === 0, tellLeft);
  assert.deepEqual(await readdir(folder), []);
  await rmdir(folder);
  return before.size;
}
