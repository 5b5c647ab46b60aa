// Writes the collected requests, a batch per statement, on a separate connection. The commit waits for no disk and no
// standby: the last entries may be lost in a crash. While the database is away, entries wait within their bounds; an
// entry that the database refuses is dropped alone.
import { timeOf, partOf } from '../../domain/id.ts';
import type { Pool } from '../connections/pool.ts';
import { DatabaseAway } from '../connections/pool.ts';
import { inUnsyncedTransaction } from '../connections/transaction.ts';
import { RequestCollector } from './collector.ts';
import type { Kept, Omission, RequestLogLimits } from './collector.ts';
import type { LoggedRequest } from './entry.ts';

// Per statement: it takes about a millisecond to serialize, so that no request waits for it.
const GROUP = { count: 100, bytes: 131_072 };

// The payment of a charge or refund is only shown to its own merchant.
const INSERT = `
  insert into request_log (part, merchant_id, id, request_id, method, route, path, status, duration_us, key_id, address,
    idempotency_key, replayed, user_agent, content_type, payment_id, request_body, request_bytes, request_cut,
    answer_body, answer_bytes, answer_cut)
  select part, merchant_id, id, request_id, method, route, path, status, duration_us, key_id, address,
    idempotency_key, replayed, user_agent, content_type,
    coalesce(payment_id, (
      select movement.payment_id from movements as movement
      join payments as payment on payment.part = movement.part and payment.id = movement.payment_id
      where movement.part = row.movement_part and movement.id = row.movement_id
        and payment.merchant_id = row.merchant_id
    )),
    request_body, request_bytes, request_cut, answer_body, answer_bytes, answer_cut
  from json_to_recordset($1) as row (
    part smallint, merchant_id bigint, id uuid, request_id text, method text, route text, path text, status smallint,
    duration_us bigint, key_id text, address text, idempotency_key text, replayed boolean, user_agent text,
    content_type text, payment_id uuid, movement_part smallint, movement_id uuid, request_body text,
    request_bytes integer, request_cut boolean, answer_body text, answer_bytes integer, answer_cut boolean
  )
  on conflict do nothing`;

const OMIT = `
  insert into request_log_omissions as known (part, merchant_id, minute, count)
  select part, merchant_id, to_timestamp(minute_ms / 1000.0), count from json_to_recordset($1) as row (
    part smallint, merchant_id bigint, minute_ms bigint, count integer
  )
  order by 1, 2, 3
  on conflict (part, merchant_id, minute) do update set count = known.count + excluded.count`;

const rowOf = (row: LoggedRequest) => ({
  part: partOf(row.id),
  merchant_id: row.merchantId,
  id: row.id,
  request_id: row.requestId,
  method: row.method,
  route: row.route,
  path: row.path,
  status: row.status,
  duration_us: Math.round(row.durationMs * 1_000),
  key_id: row.keyId,
  address: row.address,
  idempotency_key: row.idempotencyKey,
  replayed: row.isReplayed,
  user_agent: row.userAgent,
  content_type: row.contentType,
  payment_id: row.paymentId,
  movement_part: row.movementId === undefined ? undefined : partOf(row.movementId),
  movement_id: row.movementId,
  request_body: row.request.text,
  request_bytes: row.request.bytes,
  request_cut: row.request.isCut,
  answer_body: row.answer.text,
  answer_bytes: row.answer.bytes,
  answer_cut: row.answer.isCut,
});

const omissionOf = ({ id, merchantId }: LoggedRequest): Omission => ({
  merchantId,
  part: partOf(id),
  minuteMs: timeOf(id),
});

export class RequestLog {
  readonly #pool: Pool;
  readonly #onCounted: (kept: Kept, count: number) => void;
  readonly #collector: RequestCollector;
  #writing: Promise<void> | undefined;

  constructor(pool: Pool, onCounted: (kept: Kept, count: number) => void, limits?: RequestLogLimits) {
    this.#pool = pool;
    this.#onCounted = onCounted;
    this.#collector = new RequestCollector(onCounted, limits);
  }

  /** Adds an entry if there is room; see RequestCollector. */
  add(...one: Parameters<RequestCollector['add']>): void {
    this.#collector.add(...one);
  }

  /** Writes all entries; concurrent callers share one run. If the database is away, they are kept. */
  write(): Promise<void> {
    this.#writing ??= this.#writeAll().finally(() => (this.#writing = undefined));
    return this.#writing;
  }

  async #writeAll(): Promise<void> {
    for (let group = this.#collector.first(GROUP); group.length > 0; group = this.#collector.first(GROUP)) {
      await this.#writeGroup(group);
      this.#collector.drop(group.length);
    }
    const omissions = this.#collector.takeOmissions();
    if (omissions.length === 0) return;
    const rows = omissions.map(({ merchantId, part, minuteMs, count }) => ({
      part,
      merchant_id: merchantId,
      minute_ms: minuteMs,
      count,
    }));
    await this.#run(OMIT, rows).catch((error: unknown) => {
      this.#collector.putBack(omissions);
      throw error;
    });
  }

  async #writeGroup(group: readonly LoggedRequest[]): Promise<void> {
    try {
      await this.#run(INSERT, group.map(rowOf));
      this.#onCounted('kept', group.length);
    } catch (error) {
      if (error instanceof DatabaseAway) throw error;
      const [only] = group;
      if (group.length === 1 && only) this.#collector.omit(omissionOf(only), 'failed', 1);
      else for (const row of group) await this.#writeGroup([row]);
    }
  }

  #run(text: string, rows: readonly object[]): Promise<unknown> {
    return inUnsyncedTransaction(this.#pool, (client) => client.query(text, [JSON.stringify(rows)]));
  }
}
