// Signed audit heads, logged at the start, every hour and at shutdown, and refusals, written to the audit. If the log is
// out of reach of anyone who can write to the database, `kassa verify --audit-head` can detect rewritten or truncated
// chains.
import type { Job } from '../ops/jobs.ts';
import { HeadWatch, readChainHeads, signHeads, signingKeyOf } from '../store/audit/audit-head.ts';
import type { Store } from '../store/store.ts';
import type { Opened } from './process.ts';

// The newest records remain unsigned for up to this long.
const SIGN_EVERY_MS = 3_600_000;

/** Only in the first process, and only with a private key. */
export function signingAudit({ config, log, openings, link }: Opened, { queue }: Store): Job[] {
  const key = signingKeyOf(config.auditKeys);
  if (key === undefined || link?.isFirst === false) return [];
  const watch = new HeadWatch();
  const run = async (): Promise<void> => {
    const { moved, broken } = watch.compare(await readChainHeads(queue));
    for (const { merchantId, number } of broken)
      log.logger.error({ merchantId, number }, 'a signed audit record is missing or was changed: run kassa verify');
    for (const auditHead of signHeads(key, new Date(), moved)) log.logger.info({ auditHead }, 'audit head');
  };
  openings.add('audit head', run);
  return [{ name: 'sign-audit', everyMs: SIGN_EVERY_MS, run }];
}

// Soon enough for someone who looks right after.
const WRITE_EVERY_MS = 2_000;

/** Writes refusals: the first of its kind soon, repeated ones at the end of their period, and the rest at shutdown. */
export function writingRefusals({ openings }: Opened, { refusals }: Store): Job {
  openings.add('refusals', () => refusals.write({ isLast: true }));
  return { name: 'write-refusals', everyMs: WRITE_EVERY_MS, run: () => refusals.write() };
}
