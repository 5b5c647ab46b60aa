// Lowers the priority of background threads, so that request threads come first.
import { setPriority } from 'node:os';

// Beside one busy thread, this leaves a quarter of the processor. The lowest priority would leave next to nothing, so that
// callers on a busy machine would wait for minutes.
const PRIORITIES = { awaited: 5, ahead: 15 } as const;

/** For the calling thread. Only Linux has priorities for threads. */
export function lowerPriority(work: keyof typeof PRIORITIES): void {
  if (process.platform === 'linux') setPriority(PRIORITIES[work]);
}
