// Writes signed heads of the audit to the log: at the start, every hour and at the end. Where the log is kept out of reach
// of whoever can write to the database, `kassa verify --audit-head` finds by it what was rewritten or cut off.
import type { Job } from '../ops/jobs.ts';
import { HeadWatch, readChainHeads, signHeads, signingKeyOf } from '../store/audit/audit-head.ts';
import type { Store } from '../store/store.ts';
import type { Opened } from './process.ts';

// So much of the newest records is without a signature when somebody rewrites them.
const SIGN_EVERY_MS = 3_600_000;

/** One of several processes does it for all; none without a key that signs. */
export function signingAudit({ config, log, openings, link }: Opened, { queue }: Store): Job[] {
  const key = signingKeyOf(config.auditKeys);
  if (key === undefined || link?.isFirst === false) return [];
  const watch = new HeadWatch();
  const run = async (): Promise<void> => {
    const { moved, broken } = watch.compare(await readChainHeads(queue));
    for (const { merchantId, number } of broken)
      log.logger.error(
        { merchantId, number },
        'an audit record that was signed is gone or was changed: run kassa verify',
      );
    for (const auditHead of signHeads(key, new Date(), moved)) log.logger.info({ auditHead }, 'audit head');
  };
  openings.add('audit head', run);
  return [{ name: 'sign-audit', everyMs: SIGN_EVERY_MS, run }];
}

// Whoever looks right after finds it.
const TELL_EVERY_MS = 2_000;

/**
 * Adds to the audit what was refused: soon after the first of its kind, what was repeated when its period is over, and what
 * is left when the process ends.
 */
export function tellingRefusals({ openings }: Opened, { refusals }: Store): Job {
  openings.add('refusals', () => refusals.write({ isLast: true }));
  return { name: 'tell-refusals', everyMs: TELL_EVERY_MS, run: () => refusals.write() };
}
