// How much processor time a process and all of its descendants have taken so far, as Linux counts it.
import { readdirSync, readFileSync } from 'node:fs';

const MS_OF_TICK = 10;

type Row = { readonly pid: number; readonly parent: number; readonly ms: number };

/** Of the fields behind the name, which may hold anything: the parent is the 2nd, times are the 12th to the 15th. */
function readRow(pid: string): Row[] {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ') ?? [];
    const ticks = fields.slice(11, 15).reduce((sum, each) => sum + Number(each), 0);
    return [{ pid: Number(pid), parent: Number(fields[1]), ms: ticks * MS_OF_TICK }];
  } catch {
    return [];
  }
}

const readRows = (): Row[] => {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap(readRow);
  } catch {
    return [];
  }
};

/** By process, so that one that has ended meanwhile does not take its past away with it. */
export function treeTimes(root = process.pid): ReadonlyMap<number, number> {
  const rows = readRows();
  const times = new Map<number, number>();
  const add = (pid: number): void => {
    const row = rows.find((one) => one.pid === pid);
    if (row === undefined || times.has(pid)) return;
    times.set(pid, row.ms);
    for (const { pid: child, parent } of rows) if (parent === pid) add(child);
  };
  add(root);
  return times;
}

/** What was spent between two looks by those that live at the second one, with the children they have seen end. */
export function spentBetween(before: ReadonlyMap<number, number>, after: ReadonlyMap<number, number>): number {
  let ms = 0;
  for (const [pid, time] of after) ms += time - (before.get(pid) ?? 0);
  // A child that ended is in its parent's sum with its whole life, of which the first look has counted a part.
  for (const [pid, time] of before) if (!after.has(pid)) ms -= time;
  return Math.max(ms, 0);
}

/** What a runner takes beside its workers: itself, what ran before them, and what runs on, such as Postgres. */
export function watchBesides(): () => number {
  // Later the workers that have ended are in this row as well.
  const before = treeTimes().get(process.pid) ?? 0;
  const own = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(own);
    const others = [...treeTimes()].filter(([pid]) => pid !== process.pid).reduce((sum, [, ms]) => sum + ms, 0);
    return before + (user + system) / 1_000 + others;
  };
}
