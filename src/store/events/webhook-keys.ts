// Idempotency records of requests that create webhooks: the whole response, secret included, since it may be lost on
// its way. Stored with the other idempotency records, and deleted with them.
import { NO_ID } from '../../domain/id.ts';
import type { Merchant } from '../../domain/merchant.ts';
import type { RecordedAnswer } from '../statements/recorded-answer.ts';
import type { Pool } from '../connections/pool.ts';
import { sealOf } from '../statements/seals.ts';

const SEAL = sealOf('idempotency_records', 'record', { movement_id: 'null::uuid', lasting: 'false' });

export type WebhookKey = {
  readonly key: string;
  /** SHA-256 of the request's JSON, in hex. */
  readonly request: string;
};

export type FoundAnswer = { readonly request: string; readonly recorded: RecordedAnswer };

/**
 * The recorded response of a key. Until the transaction ends, no other request of this merchant can use a key to create
 * a webhook. A record that is found is written as well, so that the commit waits until a synchronous standby has it.
 */
export async function holdAnswer(
  within: Pool,
  { id, parts }: Pick<Merchant, 'id' | 'parts'>,
  key: string,
): Promise<FoundAnswer | undefined> {
  await within.query('select 1 from merchants where id = $1 for no key update', [id]);
  const [row] = await within.query<{ request: string; status: number; answer: string }>(
    `update idempotency_records set status = status
     where part = $1 and merchant_id = $2 and operation = 'webhook' and target = $3 and key = $4
     returning encode(request, 'hex') as request, status, answer`,
    [parts[0], id, NO_ID, key],
  );
  return row && { request: row.request, recorded: { status: row.status, text: row.answer } };
}

export async function recordAnswer(
  within: Pool,
  { id, parts }: Pick<Merchant, 'id' | 'parts'>,
  webhookId: string,
  { key, request }: WebhookKey,
  { status, text }: RecordedAnswer,
): Promise<void> {
  await within.query(
    `insert into idempotency_records
       (part, merchant_id, operation, target, key, subject_id, request, status, answer, seal)
     select record.*, ${SEAL}
     from (
       select $1::smallint as part, $2::bigint as merchant_id, 'webhook' as operation, $3::uuid as target, $4::text as key,
         $5::uuid as subject_id, decode($6, 'hex') as request, $7::smallint as status, $8::text as answer
     ) as record`,
    [parts[0], id, NO_ID, key, webhookId, request, status, text],
  );
}
