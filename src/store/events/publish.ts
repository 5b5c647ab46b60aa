// Publishes events: gives each its position among its merchant's and makes its deliveries. Anybody may at any time. Who
// committed a change publishes its events by the subject's id; what a process left behind that died in between is found by
// looking for what waits.
import type { Merchant } from '../../domain/merchant.ts';
import { partOf } from '../../domain/id.ts';
import type { Endpoint } from './lanes.ts';
import { plainId } from '../statements/payment-row.ts';
import { isConnectionError, NO_QUERY_TIMEOUT } from '../connections/pool.ts';
import type { Pool } from '../connections/pool.ts';
import { readStatement } from '../statements/statement.ts';

/** What events are about: a payment, or a webhook. */
export type Subject = { readonly id: string; readonly merchantId: number };

export type Published = {
  readonly count: number;
  /** The endpoints that have something to do now. */
  readonly endpoints: readonly Endpoint[];
  /** Subjects that still have something to publish: another process holds their merchant's counter, or it was too much. */
  readonly left: readonly Subject[];
  /** Subjects whose events cannot be published, and why. */
  readonly troubles: readonly { readonly subject: Subject; readonly error: unknown }[];
};

const PUBLISH = readStatement('publish');
/** Events in one statement: bounds it when one payment has very many. */
const MOST_EVENTS = 1_000;
/** Subjects in one statement. */
export const MOST_SUBJECTS = 200;

async function publishOnce(pool: Pool, subjects: readonly Subject[]): Promise<Published> {
  const wanted = subjects.map(({ id }) => ({ part: partOf(id), subject_id: id }));
  // Whoever reads an event relies on its position: nobody sees one that a synchronous standby does not have.
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

/** Publishes what these subjects have. Where it fails, halves find the guilty one, and all others go on. */
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

// What was recorded a moment ago is being published by whoever recorded it.
const LEFT_BEHIND_S = 1;

/**
 * Subjects with events that nobody has published, of the next after one in the order of parts. While somebody holds an old
 * snapshot, Postgres keeps an index entry of everything that was published since, and this reads past all of them: so it
 * has no time limit, and whoever calls it waits the longer the longer it took.
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

/** Subjects of a merchant with events that nobody has published yet: those that one call publishes. */
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

/** Publishes what a merchant has waiting, for a command that looks at its events; at most so many rounds of it. */
export async function publishOf(pool: Pool, merchant: Pick<Merchant, 'id' | 'parts'>): Promise<void> {
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const subjects = await findWaiting(pool, merchant);
    if (subjects.length === 0 || (await publishSubjects(pool, subjects)).count === 0) return;
  }
}
