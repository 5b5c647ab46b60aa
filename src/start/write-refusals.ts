// Writes refusals to the audit: the first of its kind soon, repeated ones at the end of their period, and the rest at
// shutdown.
import type { Job } from '../ops/jobs.ts';
import type { Store } from '../store/store.ts';
import type { Opened } from './process.ts';

// Soon enough for someone who looks right after.
const EVERY_MS = 2_000;

export function writingRefusals({ openings }: Opened, { refusals }: Store): Job {
  openings.add('refusals', () => refusals.write({ isLast: true }));
  return { name: 'write-refusals', everyMs: EVERY_MS, run: () => refusals.write() };
}
