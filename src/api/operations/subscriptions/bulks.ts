// Bulks: many charges or verifications asked for at once. The answer says only that they are written down; what comes of
// each is read page by page while any process works them off.
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { partOf } from '../../../domain/id.ts';
import type { Merchant } from '../../../domain/merchant.ts';
import { reachOf } from '../../../events/addresses.ts';
import { beginBulk } from '../../../payments/bulk-worker.ts';
import { nowOf } from '../../../payments/clock.ts';
import { homePartOf, newId } from '../../../payments/ids.ts';
import { createBulk, MOST_WAITING_BYTES, MOST_WAITING_ENTRIES, readBulk } from '../../../store/payments/bulks.ts';
import type { BulkEntry, BulkPurpose, NewBulkEntry } from '../../../store/payments/bulks.ts';
import type { Pool } from '../../../store/connections/pool.ts';
import { findSubscriptions } from '../../../store/payments/subscriptions.ts';
import { digestOf } from '../../../server/body.ts';
import { answerWith, failure } from '../../../server/answer.ts';
import { NOT_FOUND, sendAnswer } from '../../../server/errors.ts';
import { badField, BadRequest } from '../../../server/problem.ts';
import type { Problem } from '../../../server/problem.ts';
import { spendMore } from '../../../server/rate-limit.ts';
import { TooManyRequests } from '../../../server/too-many-requests.ts';
import { dashedIdIn, idempotencyOf } from '../../request.ts';
import { keyIdOf, merchantOf } from '../../../server/asker.ts';
import type { RouteContext } from '../../request.ts';
import { readWebHooks } from '../payments/create-payment.ts';
import { readDashedId } from './agreement.ts';
import { SPELLINGS } from './kinds.ts';
import type { Spelling } from './kinds.ts';
import { BulkSchemas, MOST_ENTRIES, MOST_OF_SUBSCRIPTION, PageSchema } from './schema.ts';
import type { BulkBody, BulkEntryBody } from './schema.ts';
import { readOrder } from './subscriptions.ts';

const STATES = { pending: 'Pending', succeeded: 'Succeeded', failed: 'Failed' } as const;
const UNKNOWN = 'must be the id of a subscription of yours';
// A small one is begun before it is answered: many who ask read it right after, and once.
const MOST_BEGUN_AT_ONCE = 8;
// An acquirer that hangs keeps nobody waiting for the answer.
const LONGEST_BEGINNING_MS = 2_000;
const TOO_OFTEN = `is there too often: one subscription may be in a bulk ${MOST_OF_SUBSCRIPTION} times`;

type Purposeful = { readonly purpose: BulkPurpose; readonly place: string };
const PURPOSES: readonly Purposeful[] = [
  { purpose: 'charge', place: 'charges' },
  { purpose: 'verification', place: 'verifications' },
];

/** The id that an entry names, or what is wrong with it. */
function readEntryId(entry: BulkEntryBody, field: string, { idName }: Spelling): string | Problem {
  const { [idName]: given, externalReference } = entry;
  if (given && externalReference)
    return { field: `${field}.externalReference`, text: `must be left out when ${idName} is given` };
  if (externalReference) return { field: `${field}.externalReference`, text: 'there is no such subscription' };
  if (!given) return { field: `${field}.${idName}`, text: 'is required' };
  return readDashedId(given) ?? { field: `${field}.${idName}`, text: UNKNOWN };
}

/** The places at which a subscription is there more often than it may be. */
function findCrowded(ids: readonly string[]): number[] {
  const counts = new Map<string, number>();
  return ids.flatMap((id, index) => {
    const count = (counts.get(id) ?? 0) + 1;
    counts.set(id, count);
    return count > MOST_OF_SUBSCRIPTION ? [index] : [];
  });
}

/** The request with its ids in their one spelling: however they were written, it is the same bulk. */
const meantBy = (body: BulkBody, { listName, idName }: Spelling, entries: readonly NewBulkEntry[]): object => ({
  ...body,
  [listName]: body[listName]?.map((entry, index) => ({ ...entry, [idName]: entries[index]?.subscriptionId })),
});

/** All of them are there, or nothing is done. */
async function readEntries(
  pool: Pool,
  merchant: Merchant,
  body: BulkBody,
  spelling: Spelling,
  purpose: BulkPurpose,
): Promise<NewBulkEntry[]> {
  const { listName, idName, kind } = spelling;
  const given = body[listName] ?? [];
  const fieldOf = (index: number): string => `${listName}[${index}]`;
  const ids = given.map((entry, index) => readEntryId(entry, fieldOf(index), spelling));
  const malformed = ids.filter((id) => typeof id !== 'string');
  if (malformed.length > 0) throw new BadRequest(malformed);
  const crowded = findCrowded(ids as string[]);
  if (crowded.length > 0)
    throw new BadRequest(crowded.map((index) => ({ field: `${fieldOf(index)}.${idName}`, text: TOO_OFTEN })));
  const known = await findSubscriptions(pool, merchant.id, kind, [...new Set(ids as string[])]);
  const unknown = (ids as string[]).flatMap((id, index) =>
    known.has(id) ? [] : [{ field: `${fieldOf(index)}.${idName}`, text: UNKNOWN }],
  );
  if (unknown.length > 0) throw new BadRequest(unknown);
  const at = nowOf(merchant);
  return given.map(({ order, myReference }, index) => {
    const subscriptionId = ids[index] as string;
    return {
      subscriptionId,
      paymentId: newId(at, partOf(subscriptionId)),
      ...(purpose === 'charge' && { order: readOrder(order, `${fieldOf(index)}.order`) }),
      ...(myReference && { myReference }),
    };
  });
}

// Thousands are done in that time.
const RETRY_AFTER_S = 60;
const MOST_WAIT = `${MOST_WAITING_ENTRIES} entries of bulks may, with ${MOST_WAITING_BYTES / 1_048_576} MiB of orders`;
const TOO_MANY_WAIT = `Too many charges wait: of one merchant ${MOST_WAIT}; nothing was done. The Retry-After header says when to come back.`;
const OTHER_CONTENT = 'A bulk with this name was asked for with other content; a new bulk needs a new name.';

function routeCreate(app: FastifyInstance, context: RouteContext, spelling: Spelling, asked: Purposeful): void {
  const { kind, path, operation } = spelling;
  const { purpose, place } = asked;
  const name = operation(purpose === 'charge' ? 'createBulkCharge' : 'createBulkVerification');
  const options = {
    schema: { operationId: name, body: BulkSchemas[kind][purpose] },
    config: { operation: 'charge' as const, keyed: true },
  };
  app.post(`${path}/${place}`, options, async (request, reply) => {
    const body = request.body as BulkBody;
    const merchant = merchantOf(request);
    const { store } = context.payments;
    const externalId = purpose === 'charge' ? body.externalBulkChargeId : body.externalBulkVerificationId;
    const webHooks = readWebHooks(body, reachOf(merchant.live, context.privateHooks));
    const entries = await readEntries(store.pool, merchant, body, spelling, purpose);
    spendMore(request, entries.length);
    const key = idempotencyOf(request)?.key;
    const bulk = {
      id: newId(nowOf(merchant), homePartOf(merchant)),
      merchantId: merchant.id,
      kind,
      purpose,
      ...(externalId !== undefined && { externalId }),
      ...(key !== undefined && { key }),
      createdBy: keyIdOf(request),
      request: digestOf(meantBy(body, spelling, entries)),
      ...(webHooks && { webHooks }),
      entries,
    };
    const created = await createBulk(store, bulk);
    if (created === 'too_many_wait') {
      reply.header('retry-after', RETRY_AFTER_S);
      throw new TooManyRequests(TOO_MANY_WAIT);
    }
    if (created !== 'made') {
      const { id, isSameRequest } = created;
      if (!isSameRequest) return sendAnswer(reply, failure(422, '1026', OTHER_CONTENT));
      return sendAnswer(reply.header('idempotent-replayed', 'true'), answerWith(202, { bulkId: id }));
    }
    if (entries.length <= MOST_BEGUN_AT_ONCE) {
      const enough = sleep(LONGEST_BEGINNING_MS, undefined, { ref: false });
      await Promise.race([beginBulk(context.payments, bulk.id), enough]);
    }
    return sendAnswer(reply, answerWith(202, { bulkId: bulk.id }));
  });
}

const presentEntry = ({ idName }: Spelling, purpose: BulkPurpose, entry: BulkEntry): object => ({
  [idName]: entry.subscriptionId,
  ...(purpose === 'charge' && { paymentId: entry.paymentId }),
  ...(entry.chargeId !== undefined && { chargeId: entry.chargeId }),
  status: STATES[entry.state],
  ...(entry.message !== undefined && { message: entry.message }),
  ...(entry.code !== undefined && { code: entry.code }),
  ...(purpose === 'charge' && entry.source !== undefined && { source: entry.source }),
});

function readPage(request: FastifyRequest): { readonly skip: number; readonly take: number } {
  const query = request.query as Readonly<Record<string, string | undefined>>;
  const whole = (name: string, least: number): number | undefined => {
    const text = query[name];
    if (text === undefined) return undefined;
    const value = /^\d{1,9}$/.test(text) ? Number(text) : -1;
    if (value < least) throw badField(name, `must be a whole number from ${least} on`);
    return value;
  };
  const [skip, take] = [whole('skip', 0), whole('take', 1)];
  const [pageNumber, pageSize] = [whole('pageNumber', 0), whole('pageSize', 1)];
  if ((skip ?? take) !== undefined && (pageNumber ?? pageSize) !== undefined)
    throw badField('pageNumber', 'must be left out when skip or take is given');
  if ((skip ?? take) !== undefined) return { skip: skip ?? 0, take: Math.min(take ?? MOST_ENTRIES, MOST_ENTRIES) };
  const size = Math.min(pageSize ?? MOST_ENTRIES, MOST_ENTRIES);
  return { skip: Math.min((pageNumber ?? 0) * size, MOST_ENTRIES), take: size };
}

function routeGet(app: FastifyInstance, context: RouteContext, spelling: Spelling, asked: Purposeful): void {
  const { kind, path, operation } = spelling;
  const { purpose, place } = asked;
  const name = operation(purpose === 'charge' ? 'getBulkCharge' : 'getBulkVerification');
  const options = { schema: { operationId: name, querystring: PageSchema } };
  app.get(`${path}/${place}/:bulkId`, options, async (request, reply) => {
    const { skip, take } = readPage(request);
    const id = dashedIdIn(request, 'bulkId');
    const { store } = context.payments;
    const merchantId = merchantOf(request).id;
    const bulk = id && (await readBulk(store.pool, { merchantId, kind, purpose, skip, take, id }));
    if (!bulk) return sendAnswer(reply, NOT_FOUND);
    // After a restart it is shown only when the synchronous standby has it, as payments are.
    await store.read({ merchantId, target: id });
    const { entries, count, isDone } = bulk;
    return sendAnswer(
      reply,
      answerWith(200, {
        page: entries.map((entry) => presentEntry(spelling, purpose, entry)),
        more: skip + entries.length < count,
        status: isDone ? 'Done' : 'Processing',
      }),
    );
  });
}

export function routeBulks(app: FastifyInstance, context: RouteContext): void {
  for (const spelling of SPELLINGS)
    for (const asked of PURPOSES) {
      routeCreate(app, context, spelling, asked);
      routeGet(app, context, spelling, asked);
    }
}
