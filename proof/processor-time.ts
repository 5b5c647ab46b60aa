// What this process and all that it has started and seen end have taken of the processors: where others take them as well,
// only this says something.
import { readFileSync } from 'node:fs';

// As Linux counts them.
const MS_OF_TICK = 10;

/** Undefined where the system does not tell. */
export function processorMs(): number | undefined {
  try {
    // After the name, which may have spaces: user and system time are the 12th and 13th, of children the two after them.
    const fields = readFileSync('/proc/self/stat', 'latin1').split(') ').at(-1)?.split(' ') ?? [];
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) * MS_OF_TICK;
  } catch {
    return undefined;
  }
}
