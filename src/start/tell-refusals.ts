// Adds to the audit what was refused: soon after the first of its kind, what was repeated when its period is over, and what
// is left when the process ends.
import type { Job } from '../ops/jobs.ts';
import type { Store } from '../store/store.ts';
import type { Opened } from './process.ts';

// Whoever looks right after finds it.
const EVERY_MS = 2_000;

export function tellingRefusals({ openings }: Opened, { refusals }: Store): Job {
  openings.add('refusals', () => refusals.write({ isLast: true }));
  return { name: 'tell-refusals', everyMs: EVERY_MS, run: () => refusals.write() };
}
