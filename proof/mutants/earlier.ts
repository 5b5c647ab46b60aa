// The same defects in an earlier commit, whose tests are run by a command: so many of them at once as its files can hold,
// for a run that passes has caught none of them. A run that fails is repeated with each half of them.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { BadOption } from '../by-hand.ts';
import { copyCheckout, plantIn } from './copy.ts';
import type { Mutant } from './mutant.ts';

// Of the run that has to pass.
const OUTPUT_KEPT = 4_000;

export type Earlier = {
  readonly caught: readonly Mutant[];
  readonly survived: readonly Mutant[];
  /** Its lines are not in that commit. */
  readonly absent: readonly Mutant[];
};

type Place = {
  readonly checkout: string;
  readonly command: string;
  readonly signal: AbortSignal;
  readonly onProgress: (text: string) => void;
};

export async function tryEarlier(mutants: readonly Mutant[], place: Place): Promise<Earlier> {
  const { checkout, command, signal, onProgress } = place;
  const folder = join(tmpdir(), 'earlier');
  await copyCheckout(resolve(checkout), folder);
  const result = { caught: [] as Mutant[], survived: [] as Mutant[], absent: [] as Mutant[] };
  let runs = 0;
  let said = '';

  const passes = async (): Promise<boolean> => {
    runs += 1;
    const child = spawn(command, { cwd: folder, shell: true, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    said = '';
    const keep = (chunk: Buffer): void => void (said = (said + chunk.toString()).slice(-OUTPUT_KEPT));
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    const end = (): void => void (child.pid !== undefined && process.kill(-child.pid, 'SIGTERM'));
    signal.addEventListener('abort', end);
    const [code] = (await once(child, 'exit')) as [number | null];
    signal.removeEventListener('abort', end);
    signal.throwIfAborted();
    return code === 0;
  };

  /** Those that could not be planted beside the others; the rest is done. */
  const tryTogether = async (group: readonly Mutant[]): Promise<Mutant[]> => {
    const planted: { readonly mutant: Mutant; readonly takeOut: () => void }[] = [];
    const left: Mutant[] = [];
    for (const mutant of group) {
      const takeOut = plantIn(folder, mutant);
      if (takeOut === undefined) left.push(mutant);
      else planted.push({ mutant, takeOut });
    }
    onProgress(`run ${runs + 1}: ${planted.length} defects, ${result.caught.length} caught so far`);
    const hasPassed = planted.length === 0 || (await passes());
    // The last one first: two may be in one file.
    for (const { takeOut } of planted.toReversed()) takeOut();
    const tried = planted.map(({ mutant }) => mutant);
    if (hasPassed) result.survived.push(...tried);
    else if (tried.length === 1) result.caught.push(...tried);
    else {
      const half = Math.ceil(tried.length / 2);
      left.push(...(await tryTogether(tried.slice(0, half))), ...(await tryTogether(tried.slice(half))));
    }
    return left;
  };

  const present = mutants.filter((mutant) => {
    const takeOut = plantIn(folder, mutant);
    takeOut?.();
    if (takeOut === undefined) result.absent.push(mutant);
    return takeOut !== undefined;
  });
  onProgress('run 1: without any defect');
  if (!(await passes())) throw new BadOption(`${command} fails in ${checkout} as it is:\n${said}`);
  for (let left = present; left.length > 0;) left = await tryTogether(left);
  return result;
}
