// The audit outbox: actions whose audit records are not yet in the chain. They are written in the commit of the change;
// here they are moved into the chain of their merchant, each once, by the process that made the change or by the
// housekeeping of any process.
import type { Act, Action, Actor, Facts } from '../../domain/audit.ts';
import { partOf } from '../../domain/id.ts';
import { recordAct } from './audit.ts';
import { findMerchants } from '../merchants/merchants.ts';
import { plainId } from '../statements/payment-row.ts';
import type { Pool } from '../connections/pool.ts';
import { withinTransaction } from '../connections/transaction.ts';

/** An action that is committed with a change, which knows its subject. */
export type OutboxEntry = Omit<Act, 'subject' | 'before'>;

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

// A transaction locks the chain of a merchant.
const MOST_AT_ONCE = 100;
// The rest follow in the next run.
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

/** Deletes these rows and adds their records, in order; all must be of one merchant. */
async function move(within: Pool, rows: readonly Row[]): Promise<void> {
  const [merchant] = await findMerchants(within, [rows[0]?.merchant_id ?? 0]);
  for (const row of rows) {
    if (merchant === undefined) throw new Error(`an action of merchant ${row.merchant_id}, which does not exist`);
    await recordAct(within, merchant, actOf(row), row.at);
    await within.query('delete from audit_waits where part = $1 and subject_id = $2 and version = $3', [
      row.part,
      row.subject_id,
      row.version,
    ]);
  }
}

/** Of one payment or webhook. Skips rows that another process is moving. */
export async function flushAuditOutboxOf(pool: Pool, subjectId: string): Promise<void> {
  await withinTransaction(pool, async (within) => {
    const rows = await within.query<Row>(
      `select ${COLUMNS} from audit_waits where part = $1 and subject_id = $2
       order by version limit ${MOST_AT_ONCE} for update skip locked`,
      [partOf(subjectId), subjectId],
    );
    if (rows.length > 0) await move(within, rows);
  });
}

/** Some of a merchant, in order. */
const flushSome = (pool: Pool, merchantId: number): Promise<void> =>
  withinTransaction(pool, async (within) => {
    const rows = await within.query<Row>(
      `select ${COLUMNS} from audit_waits where merchant_id = $1
       order by at, part, subject_id, version limit ${MOST_AT_ONCE} for update skip locked`,
      [merchantId],
    );
    if (rows.length > 0) await move(within, rows);
  });

/** Some of every merchant; if those of one fail, the others go on, and the error is thrown at the end. */
export async function flushAuditOutbox(pool: Pool, signal: AbortSignal): Promise<void> {
  const rows = await pool.query<{ merchant_id: number }>(
    `select merchant_id from audit_waits group by merchant_id order by min(at) limit ${MOST_MERCHANTS}`,
  );
  const failed: unknown[] = [];
  for (const { merchant_id: merchantId } of rows)
    if (!signal.aborted) await flushSome(pool, merchantId).catch((error: unknown) => failed.push(error));
  if (failed.length > 0) throw failed[0];
}
