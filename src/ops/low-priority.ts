// For threads whose work can wait, so that the threads that answer requests come first.
import { setPriority } from 'node:os';

// Beside one thread that is busy: a quarter of the processor for what somebody waits for, next to nothing for the rest. The
// latter would keep whoever waits on a busy machine waiting for minutes.
const PRIORITIES = { awaited: 5, ahead: 15 } as const;

/** Of the thread that calls it. Only Linux knows a priority of a single thread. */
export function lowerPriority(work: keyof typeof PRIORITIES): void {
  if (process.platform === 'linux') setPriority(PRIORITIES[work]);
}
