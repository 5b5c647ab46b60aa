// Acts whose audit records are still to be added. They are written with what was done, in the same commit; here they are
// moved into the chain of their merchant, each once, by whoever asked or by the housekeeping of any process.
import type { Act, Action, Actor, Facts } from '../../domain/audit.ts';
import { partOf } from '../../domain/id.ts';
import { recordAct } from './audit.ts';
import { findMerchants } from '../merchants/merchants.ts';
import { plainId } from '../statements/payment-row.ts';
import type { Pool } from '../connections/pool.ts';
import { withinTransaction } from '../connections/transaction.ts';

/** An act that goes with a commit: whom it was done to is known there. */
export type WaitingAct = Omit<Act, 'subject' | 'before'>;

type Row = {
  part: number;
  subject_id: string;
  version: number;
  merchant_id: number;
  at: Date;
  actor_kind: Actor['kind'];
  actor_id: string;
  actor_name: string;
  address: string | null;
  action: Action;
  after: Facts | null;
};

// A transaction holds the chain of a merchant.
const MOST_AT_ONCE = 100;
// Others are told of with the next run.
const MOST_MERCHANTS = 1_000;

const actOf = (row: Row): Act => ({
  actor: {
    kind: row.actor_kind,
    id: row.actor_id,
    name: row.actor_name,
    ...(row.address !== null && { address: row.address }),
  },
  action: row.action,
  subject: plainId(row.subject_id),
  ...(row.after !== null && { after: row.after }),
});

const COLUMNS = `part, subject_id, version, merchant_id, at, actor_kind, actor_id, actor_name, address, action, after`;

/** Takes those rows away and adds their records, of one merchant and in their order. */
async function move(within: Pool, rows: readonly Row[]): Promise<void> {
  const [merchant] = await findMerchants(within, [rows[0]?.merchant_id ?? 0]);
  for (const row of rows) {
    if (merchant === undefined) throw new Error(`an act of merchant ${row.merchant_id}, which is not there`);
    await recordAct(within, merchant, actOf(row), row.at);
    await within.query('delete from audit_waits where part = $1 and subject_id = $2 and version = $3', [
      row.part,
      row.subject_id,
      row.version,
    ]);
  }
}

/** Of one payment or webhook. What somebody else is about to tell is left to them. */
export async function tellActsOf(pool: Pool, subjectId: string): Promise<void> {
  await withinTransaction(pool, async (within) => {
    const rows = await within.query<Row>(
      `select ${COLUMNS} from audit_waits where part = $1 and subject_id = $2
       order by version limit ${MOST_AT_ONCE} for update skip locked`,
      [partOf(subjectId), subjectId],
    );
    if (rows.length > 0) await move(within, rows);
  });
}

/** Some of a merchant, in their order. */
const tellSome = (pool: Pool, merchantId: number): Promise<void> =>
  withinTransaction(pool, async (within) => {
    const rows = await within.query<Row>(
      `select ${COLUMNS} from audit_waits where merchant_id = $1
       order by at, part, subject_id, version limit ${MOST_AT_ONCE} for update skip locked`,
      [merchantId],
    );
    if (rows.length > 0) await move(within, rows);
  });

/** Of every merchant some; what keeps those of one from being told keeps nobody else's, and is thrown at the end. */
export async function tellActs(pool: Pool, signal: AbortSignal): Promise<void> {
  const rows = await pool.query<{ merchant_id: number }>(
    `select merchant_id from audit_waits group by merchant_id order by min(at) limit ${MOST_MERCHANTS}`,
  );
  const failed: unknown[] = [];
  for (const { merchant_id: merchantId } of rows)
    if (!signal.aborted) await tellSome(pool, merchantId).catch((error: unknown) => failed.push(error));
  if (failed.length > 0) throw failed[0];
}
