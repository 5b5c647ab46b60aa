// Reads a merchant's request log, newest first. One index leads the search; the other filters are applied to its rows,
// up to a limit: a page that found too little says how far it searched, and the next one continues there.
import { firstIdAt, partOf, timeOf } from '../../domain/id.ts';
import type { Merchant } from '../../domain/merchant.ts';
import { plainId } from '../statements/payment-row.ts';
import type { Pool } from '../connections/pool.ts';
import type { LoggedBody, LoggedRequest } from './entry.ts';

export const STATUSES = ['ok', 'failed', '4xx', '5xx'] as const;

export type RequestFilter = {
  readonly status?: (typeof STATUSES)[number];
  readonly method?: string;
  readonly route?: string;
  readonly keyId?: string;
  readonly requestId?: string;
  readonly paymentId?: string;
  /** Start time: from the first, and before the second. */
  readonly fromMs?: number;
  readonly toMs?: number;
};

export type RequestQuery = RequestFilter & {
  readonly limit: number;
  /** Continues before this entry. */
  readonly before?: string;
};

export type ListedRequest = Pick<
  LoggedRequest,
  'id' | 'requestId' | 'method' | 'route' | 'path' | 'status' | 'durationMs' | 'keyId' | 'isReplayed' | 'paymentId'
> & { readonly at: number };

export type RequestPage = {
  readonly requests: readonly ListedRequest[];
  /** Where the next page begins; undefined on the last one. */
  readonly next?: string;
};

type Whose = Pick<Merchant, 'id' | 'parts'>;

// Maximum number of rows searched for a page: some ten milliseconds.
const MOST_LOOKED_AT = 10_000;

type Row = {
  id: string;
  request_id: string;
  method: string;
  route: string;
  path: string;
  status: number;
  duration_us: number;
  key_id: string;
  replayed: boolean;
  payment_id: string | null;
};
const COLUMNS = 'id, request_id, method, route, path, status, duration_us, key_id, replayed, payment_id';

const readListed = (row: Row): ListedRequest => ({
  id: plainId(row.id),
  at: timeOf(plainId(row.id)),
  requestId: row.request_id,
  method: row.method,
  route: row.route,
  path: row.path,
  status: row.status,
  durationMs: row.duration_us / 1_000,
  keyId: row.key_id,
  isReplayed: row.replayed,
  ...(row.payment_id !== null && { paymentId: plainId(row.payment_id) }),
});

/** The condition that an index answers, and those checked for each of its rows. */
function conditionsOf({ id, parts: [home] }: Whose, query: RequestQuery) {
  const values: unknown[] = [home, id];
  const put = (value: unknown): string => `$${values.push(value)}`;
  const { status, fromMs, toMs, before } = query;
  const leads = ['part = $1', 'merchant_id = $2'];
  if (query.requestId !== undefined) leads.push(`request_id = ${put(query.requestId)}`);
  if (query.paymentId !== undefined) leads.push(`payment_id = ${put(query.paymentId)}`);
  const end = toMs === undefined ? undefined : firstIdAt(toMs);
  const last = before !== undefined && (end === undefined || before < end) ? before : end;
  if (fromMs !== undefined) leads.push(`id >= ${put(firstIdAt(fromMs))}::uuid`);
  if (last !== undefined) leads.push(`id < ${put(last)}::uuid`);
  const hasOwnIndex = query.requestId !== undefined || query.paymentId !== undefined;
  const filters: string[] = [];
  if (status === 'ok') filters.push('status < 400');
  else if (status !== undefined) (hasOwnIndex ? filters : leads).push('status >= 400');
  if (status === '4xx') filters.push('status < 500');
  if (status === '5xx') filters.push('status >= 500');
  if (query.method !== undefined) filters.push(`method = ${put(query.method)}`);
  if (query.route !== undefined) filters.push(`route = ${put(query.route)}`);
  if (query.keyId !== undefined) filters.push(`key_id = ${put(query.keyId)}`);
  return { values, lead: leads.join(' and '), filters };
}

export async function listRequests(pool: Pool, merchant: Whose, query: RequestQuery): Promise<RequestPage> {
  const { values, lead, filters } = conditionsOf(merchant, query);
  const { limit } = query;
  const looked = `select * from request_log where ${lead} order by id desc limit`;
  const text =
    filters.length === 0
      ? `select ${COLUMNS} from (${looked} ${limit + 1}) as request order by id desc`
      : `select ${COLUMNS} from (${looked} ${MOST_LOOKED_AT}) as request where ${filters.join(' and ')}
         order by id desc limit ${limit + 1}`;
  const found = (await pool.query<Row>(text, values)).map(readListed);
  const requests = found.slice(0, limit);
  const last = requests.at(-1);
  if (found.length > limit && last) return { requests, next: last.id };
  return filters.length === 0 ? { requests } : { requests, ...(await findHorizon(pool, merchant, query)) };
}

/** The last row searched, if the limit was reached. */
async function findHorizon(pool: Pool, merchant: Whose, query: RequestQuery): Promise<{ readonly next?: string }> {
  const { status, requestId, paymentId, fromMs, toMs, before } = query;
  const led = { requestId, paymentId, fromMs, toMs, before, status: status === 'ok' ? undefined : status };
  const asked = Object.fromEntries(Object.entries(led).filter(([, value]) => value !== undefined));
  const { values, lead } = conditionsOf(merchant, { limit: 1, ...asked });
  const [row] = await pool.query<{ id: string }>(
    `select id from request_log where ${lead} order by id desc offset ${MOST_LOOKED_AT - 1} limit 1`,
    values,
  );
  return row ? { next: plainId(row.id) } : {};
}

export type WholeRequest = ListedRequest &
  Pick<LoggedRequest, 'address' | 'idempotencyKey' | 'userAgent' | 'contentType' | 'request' | 'answer'>;

type WholeRow = Row & {
  address: string;
  idempotency_key: string | null;
  user_agent: string | null;
  content_type: string | null;
} & Record<'request_body' | 'answer_body', string | null> &
  Record<'request_bytes' | 'answer_bytes', number> &
  Record<'request_cut' | 'answer_cut', boolean>;

const readBody = (text: string | null, bytes: number, isCut: boolean): LoggedBody => ({
  ...(text !== null && { text }),
  bytes,
  isCut,
});

export async function findRequest(
  pool: Pool,
  { id: merchantId, parts: [home] }: Whose,
  id: string,
): Promise<WholeRequest | undefined> {
  const [row] = await pool.query<WholeRow>(
    `select ${COLUMNS}, address, idempotency_key, user_agent, content_type, request_body, request_bytes, request_cut,
       answer_body, answer_bytes, answer_cut
     from request_log where part = $1 and merchant_id = $2 and id = $3`,
    [home, merchantId, id],
  );
  return (
    row && {
      ...readListed(row),
      address: row.address,
      ...(row.idempotency_key !== null && { idempotencyKey: row.idempotency_key }),
      ...(row.user_agent !== null && { userAgent: row.user_agent }),
      ...(row.content_type !== null && { contentType: row.content_type }),
      request: readBody(row.request_body, row.request_bytes, row.request_cut),
      answer: readBody(row.answer_body, row.answer_bytes, row.answer_cut),
    }
  );
}

/** The merchant's payment that an id refers to: its own id, or that of a charge or refund of it. */
export async function findPaymentOf(pool: Pool, merchantId: number, id: string): Promise<string | undefined> {
  const [row] = await pool.query<{ id: string }>(
    `select payment.id from payments as payment
     where payment.part = $1 and payment.merchant_id = $3 and payment.id = coalesce(
       (select payment_id from movements where part = $1 and id = $2), $2
     )`,
    [partOf(id), id, merchantId],
  );
  return row && plainId(row.id);
}

/** How many requests of a period were not kept. */
export async function countOmitted(
  pool: Pool,
  { id, parts: [home] }: Whose,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): Promise<number> {
  const minute = 60_000;
  const [row] = await pool.query<{ count: number }>(
    `select coalesce(sum(count), 0)::bigint as count from request_log_omissions
     where part = $1 and merchant_id = $2 and minute >= to_timestamp($3 / 1000.0) and minute <= to_timestamp($4 / 1000.0)`,
    [home, id, fromMs - (fromMs % minute), toMs],
  );
  return row?.count ?? 0;
}
