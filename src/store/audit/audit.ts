// The audit: one record per action, numbered and hash-chained per merchant. A record is written in the transaction of
// its action, so both exist or neither; nothing here changes or deletes one.
import { createHash } from 'node:crypto';
import { markedFacts } from '../../domain/audit.ts';
import type { Act, Action, Actor } from '../../domain/audit.ts';
import type { Merchant } from '../../domain/merchant.ts';
import type { Pool } from '../connections/pool.ts';

/** The merchant whose chain it is. */
export type Audited = Pick<Merchant, 'id' | 'parts'>;

/** The chain for what belongs to no merchant: acquirers, and people without one. */
export const NO_MERCHANT: Audited = { id: 0, parts: [0] };

/** As stored: before and after are the exact texts that are hashed. */
export type AuditRow = {
  readonly merchant_id: number;
  readonly number: number;
  readonly at: Date;
  readonly actor_kind: Actor['kind'];
  readonly actor_id: string;
  readonly actor_name: string;
  readonly address: string | null;
  readonly action: string;
  readonly subject: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly previous_hash: Buffer;
};

/** The canonical text of a record, which is hashed. */
export function hashOfRecord(row: AuditRow): Buffer {
  const text = JSON.stringify([
    row.merchant_id,
    row.number,
    row.at.toISOString(),
    row.actor_kind,
    row.actor_id,
    row.actor_name,
    row.address,
    row.action,
    row.subject,
    row.before,
    row.after,
    row.previous_hash.toString('hex'),
  ]);
  return createHash('sha256').update(text).digest();
}

/** The hash before the first record of a chain. */
export const FIRST_HASH = Buffer.alloc(32);

const LONGEST_TEXT = 320;
const LONGEST_ADDRESS = 64;
// Facts are a few fields. If they are larger than this, their size and hash are stored.
const LARGEST_FACTS_BYTES = 16_384;

/** Text that Postgres accepts, truncated. */
const tidy = (text: string, longest: number): string =>
  text
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, ' ')
    .slice(0, longest)
    .toWellFormed();

function textOf(facts: Act['before']): string | null {
  if (facts === undefined) return null;
  const text = JSON.stringify(facts);
  const bytes = Buffer.byteLength(text);
  if (bytes <= LARGEST_FACTS_BYTES) return text;
  return JSON.stringify({ bytes, sha256: createHash('sha256').update(text).digest('hex') });
}

/**
 * Records an action, as the last step of its transaction: actions of one merchant queue from here to the commit. `at`
 * is the time of the action, if it was earlier.
 */
export async function recordAct(within: Pool, { id, parts: [home] }: Audited, act: Act, at?: Date): Promise<void> {
  if (within.afterCommit === undefined) throw new Error('an action must be recorded in its transaction');
  const { actor, action, subject, before, after } = act;
  const [head] = await within.query<{ number: number; hash: Buffer; at: Date }>(
    `insert into audit_heads as head (part, merchant_id, number, hash) values ($1, $2, 0, $3)
     on conflict (part, merchant_id) do update set number = head.number
     returning number, hash, date_trunc('milliseconds', clock_timestamp()) as at`,
    [home, id, FIRST_HASH],
  );
  if (head === undefined) throw new Error('the head of a chain that was written is not there');
  const row: AuditRow = {
    merchant_id: id,
    number: head.number + 1,
    at: at ?? head.at,
    actor_kind: actor.kind,
    actor_id: tidy(actor.id, LONGEST_TEXT),
    actor_name: tidy(actor.name, LONGEST_TEXT),
    address: actor.address === undefined ? null : tidy(actor.address, LONGEST_ADDRESS),
    action,
    subject: tidy(subject, LONGEST_TEXT),
    before: textOf(before),
    after: textOf(markedFacts(actor, after)),
    previous_hash: head.hash,
  };
  const hash = hashOfRecord(row);
  await within.query(
    `with recorded as (
       insert into audit_records (part, merchant_id, number, at, actor_kind, actor_id, actor_name, address, action,
         subject, before, after, previous_hash, hash)
       values ($1, $2, $3, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $4)
     )
     update audit_heads set number = $3, hash = $4 where part = $1 and merchant_id = $2`,
    [
      home,
      id,
      row.number,
      hash,
      row.at,
      row.actor_kind,
      row.actor_id,
      row.actor_name,
      row.address,
      row.action,
      row.subject,
      row.before,
      row.after,
      row.previous_hash,
    ],
  );
}

export type AuditRecord = Omit<Act, 'action' | 'before' | 'after'> & {
  readonly number: number;
  readonly at: number;
  readonly action: string;
  /** May have names from other versions. */
  readonly before?: Readonly<Record<string, unknown>>;
  readonly after?: Readonly<Record<string, unknown>>;
};

const readRecord = (row: AuditRow): AuditRecord => ({
  number: row.number,
  at: row.at.getTime(),
  actor: {
    kind: row.actor_kind,
    id: row.actor_id,
    name: row.actor_name,
    ...(row.address !== null && { address: row.address }),
  },
  action: row.action,
  subject: row.subject,
  ...(row.before !== null && { before: JSON.parse(row.before) as AuditRecord['before'] & object }),
  ...(row.after !== null && { after: JSON.parse(row.after) as AuditRecord['after'] & object }),
});

export const AUDIT_COLUMNS = `merchant_id, number, at, actor_kind, actor_id, actor_name, address, action, subject,
  before::text, after::text, previous_hash`;

/** With its number and hashes in the chain. */
export type ChainedRecord = AuditRecord & { readonly previousHash: Buffer; readonly hash: Buffer };

type Wanted = { readonly after: number; readonly limit: number; readonly sinceMs?: number };

/** Oldest first, after a number; new records come after all existing ones. */
export async function readChain(
  pool: Pool,
  { merchantId, part }: { readonly merchantId: number; readonly part: number },
  { after, limit, sinceMs }: Wanted,
): Promise<ChainedRecord[]> {
  const values = [part, merchantId, after, limit, ...(sinceMs === undefined ? [] : [new Date(sinceMs)])];
  const since = sinceMs === undefined ? '' : ' and at >= $5';
  const rows = await pool.query<AuditRow & { hash: Buffer }>(
    `select ${AUDIT_COLUMNS}, hash from audit_records
     where part = $1 and merchant_id = $2 and number > $3${since} order by number limit $4`,
    values,
  );
  return rows.map((row) => ({ ...readRecord(row), previousHash: row.previous_hash, hash: row.hash }));
}

export type AuditQuery = {
  readonly limit: number;
  /** Newest first, before this number. */
  readonly before?: number;
  readonly action?: Action;
  readonly actorId?: string;
};

export async function listAudit(
  pool: Pool,
  { id, parts: [home] }: Audited,
  { limit, before = Number.MAX_SAFE_INTEGER, action, actorId }: AuditQuery,
): Promise<AuditRecord[]> {
  const values: unknown[] = [home, id, before, limit];
  const filters = Object.entries({ action, actor_id: actorId }).flatMap(([column, value]) => {
    if (value === undefined) return [];
    values.push(value);
    return [` and ${column} = $${values.length}`];
  });
  const rows = await pool.query<AuditRow>(
    `select ${AUDIT_COLUMNS} from audit_records
     where part = $1 and merchant_id = $2 and number < $3${filters.join('')} order by number desc limit $4`,
    values,
  );
  return rows.map(readRecord);
}
