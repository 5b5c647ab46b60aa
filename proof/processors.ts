// What the processors did meanwhile: how much of their time was idle, and how much somebody else on the same host took, of
// which no program of this machine can know: a second of that says nothing about Kassa, alone or beside anybody.
import { readFileSync } from 'node:fs';

const STAT = '/proc/stat';
// The first line: cpu user nice system idle iowait irq softirq steal …, in ticks since the machine started.
const [IDLE_AT, WAITING_AT, STOLEN_AT] = [3, 4, 7];
const COUNTED = 8;

export type Shares = { readonly stolen: number; readonly idle: number };
type Ticks = Shares & { readonly all: number };

function readTicks(): Ticks {
  const [line = ''] = readFileSync(STAT, 'latin1').split('\n');
  const ticks = line
    .trim()
    .split(/\s+/)
    .slice(1, COUNTED + 1)
    .map(Number);
  return {
    stolen: ticks[STOLEN_AT] ?? 0,
    idle: (ticks[IDLE_AT] ?? 0) + (ticks[WAITING_AT] ?? 0),
    all: ticks.reduce((sum, each) => sum + each, 0),
  };
}

/** Tells at each call what shares of all processors were taken and idle since the call before; 0 where nothing says it. */
export function watchProcessors(): () => Shares {
  let before = tryReadTicks();
  return () => {
    const now = tryReadTicks();
    const all = now.all - before.all;
    const shareOf = (name: keyof Shares): number => (all > 0 ? (now[name] - before[name]) / all : 0);
    const shares = { stolen: shareOf('stolen'), idle: shareOf('idle') };
    before = now;
    return shares;
  };
}

function tryReadTicks(): Ticks {
  try {
    return readTicks();
  } catch {
    return { stolen: 0, idle: 0, all: 0 };
  }
}
