// `kassa verify`: recomputes the books and reports whether they balance. Exit code 1 when they do not, 2 when the check
// could not run. Long-pending movements and undelivered events are reported as well, but are not differences.
import { readDuration } from '../../config.ts';
import { findUndelivered } from '../../store/events/deliveries.ts';
import type { Pool } from '../../store/connections/pool.ts';
import { listLongPending } from '../../store/books/reconciliation.ts';
import { verifyBooks } from '../../store/books/verify.ts';
import type { Findings } from '../../store/books/verify.ts';
import { readSince, showSince } from '../../store/books/verify/changed.ts';
import type { Since } from '../../store/books/verify/changed.ts';
import { identify } from '../../store/books/verify/identity.ts';
import type { SignedHeads } from '../../store/audit/audit-head.ts';
import { verifyAudit } from '../../store/books/verify-audit.ts';
import { remark } from '../../ops/print.ts';
import { UserError } from '../../ops/user-error.ts';
import { withDatabase } from '../../start/database.ts';
import { JSON_OPTION, printJson } from '../terminal/command.ts';
import type { Command, Options } from '../terminal/command.ts';
import { openProgress } from '../terminal/progress.ts';
import { readSignedHeads } from './audit-head.ts';
import { momentIn } from './moment.ts';
import { openCheckpoint } from './verify-checkpoint.ts';
import { foundIn, printReport } from './verify-text.ts';

// The resolver retries every minute; a movement that is still pending after an hour needs attention.
const LONG_S = 3_600;
// How often progress is logged where there is no terminal; a nightly run finishes sooner.
const SHOW_EVERY_MS = 30_000;
const MOST_AT_ONCE = 32;
// One to find the next batch, one to hold what was changed, one for the audit.
const CONNECTIONS_BESIDE = 3;

type Asked = {
  readonly parallel: number;
  readonly since: { readonly agoMs: number } | { readonly atMs: number } | undefined;
  readonly checkpoint: string | undefined;
  /** A head, a file of heads, or - for standard input. */
  readonly auditHead: string | undefined;
};

function readParallel(text: string): number {
  const parallel = /^\d{1,2}$/.test(text) ? Number(text) : 0;
  if (parallel < 1 || parallel > MOST_AT_ONCE)
    throw new UserError(`--parallel is ${text}; it must be a number from 1 to ${MOST_AT_ONCE}.`);
  return parallel;
}

function readSinceOption(text: string): NonNullable<Asked['since']> {
  const agoMs = readDuration(text);
  if (agoMs > 0) return { agoMs };
  const atMs = momentIn(text);
  if (atMs === undefined)
    throw new UserError(
      `--since is ${text}; it must be a duration such as 26h or 7d, a date such as 2026-11-15 or a timestamp such as 2026-11-15T08:00:00Z.`,
    );
  return { atMs };
}

function readOptions({ parallel, since, checkpoint, 'audit-head': auditHead }: Options): Asked {
  if (checkpoint === '') throw new UserError('--checkpoint is empty; it must be a file.');
  return {
    parallel: typeof parallel === 'string' ? readParallel(parallel) : 4,
    since: typeof since === 'string' ? readSinceOption(since) : undefined,
    checkpoint: typeof checkpoint === 'string' ? checkpoint : undefined,
    auditHead: typeof auditHead === 'string' ? auditHead : undefined,
  };
}

async function findSince(pool: Pool, given: NonNullable<Asked['since']>): Promise<Since> {
  const since = await readSince(pool, given);
  if (since === undefined) throw new UserError('--since is in the future.');
  return since;
}

async function lookAtBooks(
  pool: Pool,
  { parallel, since: given, checkpoint }: Asked,
  asked: string,
): Promise<{ books: Findings; since: Since | undefined }> {
  const file = checkpoint === undefined ? undefined : openCheckpoint(checkpoint, await identify(pool), asked);
  if (typeof file?.found === 'string') remark(`Ignoring ${checkpoint}: ${file.found}. Checking everything.`);
  const from = typeof file?.found === 'object' ? file.found : undefined;
  if (from) remark(`Resuming from ${checkpoint}.`);
  const since = given && (from?.since ?? (await findSince(pool, given)));
  const progress = openProgress({ noun: 'payments', showEveryMs: SHOW_EVERY_MS, begun: from?.payments ?? 0 });
  const books = await verifyBooks(pool, {
    parallel,
    ...(since && { since }),
    ...(from && { from }),
    onProgress: (payments, total) => progress.show(payments, total),
    onFigures: (payments, day) => progress.goOn(payments, `daily figures${day === undefined ? '' : ` since ${day}`}`),
    onCheckpoint: (reached) => file?.write(reached),
  }).finally(() => progress.end());
  file?.remove();
  return { books, since };
}

export const verify: Command = {
  troubleCode: 2,
  usage: '[--since DURATION|TIME] [--parallel N] [--checkpoint FILE] [--audit-head HEAD|FILE] [--json]',
  more: 'It only reads and can run beside the service, for example every night and after a restore.\nExit code 2 when the books could not be read.',
  options: {
    since: {
      type: 'string',
      value: 'DURATION|TIME',
      what: 'Check only changes since then, such as 26h or 2026-11-15T08:00:00Z.',
    },
    parallel: {
      type: 'string',
      value: 'N',
      what: `Number of parallel checks: 1 to ${MOST_AT_ONCE}. Default: 4.`,
    },
    checkpoint: {
      type: 'string',
      value: 'FILE',
      what: 'Save progress in this file; resume from it if it exists.',
    },
    'audit-head': {
      type: 'string',
      value: 'HEAD|FILE',
      what: 'Check the audit against signed heads: one, or those in a file or log; - for standard input.',
    },
    json: JSON_OPTION,
  },
  run: async ({ config, options }) => {
    const asked = readOptions(options);
    const named = options['since'] === undefined ? '' : `--since ${String(options['since'])}`;
    const look = async (pool: Pool, signed: SignedHeads | undefined): Promise<number> => {
      const [looked, walked] = await Promise.allSettled([lookAtBooks(pool, asked, named), verifyAudit(pool, signed)]);
      if (looked.status === 'rejected') throw looked.reason;
      if (walked.status === 'rejected') throw walked.reason;
      const { books, since } = looked.value;
      const audit = walked.value;
      const longPending = await listLongPending(pool, LONG_S);
      const undelivered = await findUndelivered(pool, LONG_S);
      if (options['json'])
        printJson({
          since: since ? showSince(since) : null,
          ...books.counts,
          auditRecords: audit.records,
          longPending,
          undelivered,
          differences: books.differences,
          differencesLeftOut: books.leftOut,
          auditDifferences: audit.differences,
          ...(signed && {
            auditHeads: signed.count,
            newestAuditHead: signed.newest,
            auditHeadProblems: signed.problems,
          }),
        });
      else printReport({ books, audit, signed, longPending, undelivered, since: since && showSince(since) });
      return foundIn({ books, audit, signed }) === 0 ? 0 : 1;
    };
    const signed = asked.auditHead === undefined ? undefined : await readSignedHeads(asked.auditHead, config.auditKeys);
    return withDatabase(config, (pool) => look(pool, signed), asked.parallel + CONNECTIONS_BESIDE);
  },
};
