// Publishes events: gives each its position among its merchant's events and creates its deliveries. Any process may do
// it at any time. The process that committed a change publishes its events by the subject's id; if it dies before that,
// another one finds the unpublished events.
import type { Merchant } from '../../domain/merchant.ts';
import { partOf } from '../../domain/id.ts';
import type { Endpoint } from './lanes.ts';
import { plainId } from '../statements/payment-row.ts';
import { isConnectionError, NO_QUERY_TIMEOUT } from '../connections/pool.ts';
import type { Pool } from '../connections/pool.ts';
import { readStatement } from '../statements/statement.ts';

/** What events are about: a payment or a webhook. */
export type Subject = { readonly id: string; readonly merchantId: number };

export type Published = {
  readonly count: number;
  /** Endpoints with deliveries that are due now. */
  readonly endpoints: readonly Endpoint[];
  /** Subjects with events left: another process holds the counter of their merchant, or there were too many. */
  readonly left: readonly Subject[];
  /** Subjects whose events cannot be published, and why. */
  readonly troubles: readonly { readonly subject: Subject; readonly error: unknown }[];
};

const PUBLISH = readStatement('publish');
/** Events per statement: a payment may have very many. */
const MOST_EVENTS = 1_000;
/** Subjects per statement. */
export const MOST_SUBJECTS = 200;

async function publishOnce(pool: Pool, subjects: readonly Subject[]): Promise<Published> {
  const wanted = subjects.map(({ id }) => ({ part: partOf(id), subject_id: id }));
  // Readers rely on the position of an event: it must not be visible before a synchronous standby has it.
  const [row] = await pool.runUntilReplicated(PUBLISH, [JSON.stringify(wanted), MOST_EVENTS]);
  const [waiting = '0', count = '0', held, endpoints] = row ?? [];
  const heldMerchants = new Set(JSON.parse(held ?? '[]') as number[]);
  const isCut = Number(waiting) === MOST_EVENTS;
  return {
    count: Number(count),
    endpoints: (JSON.parse(endpoints ?? '[]') as [number, string][]).map(([merchantId, endpoint]) => ({
      merchantId,
      endpoint,
    })),
    left: isCut ? subjects : subjects.filter(({ merchantId }) => heldMerchants.has(merchantId)),
    troubles: [],
  };
}

/**
 * Publishes the events of these subjects. If it fails, bisects to find the failing one, so that all others are
 * published.
 */
export async function publishSubjects(pool: Pool, subjects: readonly Subject[]): Promise<Published> {
  try {
    return await publishOnce(pool, subjects);
  } catch (error) {
    if (isConnectionError(error)) throw error;
    const [only] = subjects;
    if (only === undefined || subjects.length === 1) {
      return { count: 0, endpoints: [], left: [], troubles: only ? [{ subject: only, error }] : [] };
    }
    const middle = Math.ceil(subjects.length / 2);
    const first = await publishSubjects(pool, subjects.slice(0, middle));
    const second = await publishSubjects(pool, subjects.slice(middle));
    return {
      count: first.count + second.count,
      endpoints: [...first.endpoints, ...second.endpoints],
      left: [...first.left, ...second.left],
      troubles: [...first.troubles, ...second.troubles],
    };
  }
}

type SubjectRow = { subject_id: string; merchant_id: number };

const readSubject = (row: SubjectRow): Subject => ({ id: plainId(row.subject_id), merchantId: row.merchant_id });

// More recent events are being published by the process that recorded them.
const LEFT_BEHIND_S = 1;

/**
 * Subjects with unpublished events, of the next part after one. While a session holds an old snapshot, Postgres keeps
 * index entries of everything published since, and this reads past them all: so it has no timeout, and the caller waits
 * longer before the next run the longer it took.
 */
export async function findLeftBehind(pool: Pool, after: Subject | undefined): Promise<Subject[]> {
  return pool.withClient(async (client) => {
    await pool.begin(client, 'set transaction read only; set local statement_timeout = 0');
    try {
      const { rows } = await client.query<SubjectRow>({
        text: `select distinct part, subject_id, merchant_id from events
          where position is null and recorded_at < now() - make_interval(secs => ${LEFT_BEHIND_S})
            and (part, subject_id) > ($1::smallint, $2::uuid)
          order by part, subject_id limit ${MOST_SUBJECTS}`,
        values: after === undefined ? [-1, '0'.repeat(32)] : [partOf(after.id), after.id],
        ...NO_QUERY_TIMEOUT,
      });
      return rows.map(readSubject);
    } finally {
      await client.query('rollback').catch(() => {});
    }
  });
}

/** Subjects of a merchant with unpublished events, as many as one call publishes. */
export async function findWaiting(pool: Pool, { id, parts }: Pick<Merchant, 'id' | 'parts'>): Promise<Subject[]> {
  const rows = await pool.query<SubjectRow>(
    `select distinct part, subject_id, merchant_id from events
     where position is null and part = any ($1::smallint[]) and merchant_id = $2
     order by part, subject_id limit ${MOST_SUBJECTS}`,
    [parts, id],
  );
  return rows.map(readSubject);
}

const MOST_ROUNDS = 20;

/** Publishes a merchant's unpublished events, for a command that reads them; up to a number of rounds. */
export async function publishOf(pool: Pool, merchant: Pick<Merchant, 'id' | 'parts'>): Promise<void> {
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const subjects = await findWaiting(pool, merchant);
    if (subjects.length === 0 || (await publishSubjects(pool, subjects)).count === 0) return;
  }
}
