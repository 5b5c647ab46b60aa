// How much of the processors somebody else on the same host took, of which no program of this machine can know: a second
// of that says nothing about Kassa, alone or beside anybody.
import { readFileSync } from 'node:fs';

const STAT = '/proc/stat';
// The first line: cpu user nice system idle iowait irq softirq steal …, in ticks since the machine started.
const STOLEN_AT = 7;
const COUNTED = 8;

function readTicks(): { readonly stolen: number; readonly all: number } {
  const [line = ''] = readFileSync(STAT, 'latin1').split('\n');
  const ticks = line
    .trim()
    .split(/\s+/)
    .slice(1, COUNTED + 1)
    .map(Number);
  return { stolen: ticks[STOLEN_AT] ?? 0, all: ticks.reduce((sum, each) => sum + each, 0) };
}

/** Tells at each call what share of all processors was taken since the call before; 0 where the system does not say. */
export function watchStolen(): () => number {
  let before = tryReadTicks();
  return () => {
    const now = tryReadTicks();
    const all = now.all - before.all;
    const share = all > 0 ? (now.stolen - before.stolen) / all : 0;
    before = now;
    return share;
  };
}

function tryReadTicks(): { readonly stolen: number; readonly all: number } {
  try {
    return readTicks();
  } catch {
    return { stolen: 0, all: 0 };
  }
}
