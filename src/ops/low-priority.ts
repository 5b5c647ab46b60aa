// For threads whose work can wait: they take what the service leaves of the processor.
import { setPriority } from 'node:os';

const LOW_PRIORITY = 15;

/** Of the thread that calls it. Only Linux knows a priority of a single thread. */
export function lowerPriority(): void {
  if (process.platform === 'linux') setPriority(LOW_PRIORITY);
}
