// Creates a bulk: many charges or verifications in one request. The response only says that they are stored; their
// results are read page by page while any process carries them out.
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { partOf } from '../../domain/id.ts';
import type { Merchant } from '../../domain/merchant.ts';
import { reachOf } from '../../events/addresses.ts';
import { beginBulk } from '../../payments/bulk-worker.ts';
import { nowOf } from '../../payments/clock.ts';
import { homePartOf, newId } from '../../payments/ids.ts';
import { answerWith, failure } from '../../server/answer.ts';
import type { Answer } from '../../server/answer.ts';
import { keyIdOf, merchantOf } from '../../server/asker.ts';
import { digestOf } from '../../server/body.ts';
import { BadRequest } from '../../server/problem.ts';
import type { Problem } from '../../server/problem.ts';
import { spendMore } from '../../server/rate-limit.ts';
import { TooManyRequests } from '../../server/too-many-requests.ts';
import type { Pool } from '../../store/connections/pool.ts';
import { createBulk, MOST_WAITING_BYTES, MOST_WAITING_ENTRIES } from '../../store/payments/bulks.ts';
import type { BulkPurpose, NewBulkEntry } from '../../store/payments/bulks.ts';
import { findSubscriptions } from '../../store/payments/subscriptions.ts';
import { idempotencyOf } from '../request.ts';
import type { RouteContext } from '../request.ts';
import { MOST_OF_SUBSCRIPTION } from '../schemas/subscription.ts';
import type { BulkBody, BulkEntryBody } from '../schemas/subscription.ts';
import { readDashedId } from './agreement.ts';
import { readOrder } from './subscription-order.ts';
import type { Spelling } from './subscription-spelling.ts';
import { readWebHooks } from './web-hooks.ts';

const UNKNOWN = 'must be the id of a subscription of yours';

// A small bulk is started before the response: many clients read it directly afterwards, and only once.
const MOST_BEGUN_AT_ONCE = 8;

// The response does not wait for an acquirer that hangs.
const LONGEST_BEGINNING_MS = 2_000;

const TOO_OFTEN = `is there too often: one subscription may be in a bulk ${MOST_OF_SUBSCRIPTION} times`;

/** The id of an entry, or what is wrong with it. */
function readEntryId(entry: BulkEntryBody, field: string, { idName }: Spelling): string | Problem {
  const { [idName]: given, externalReference } = entry;
  if (given && externalReference)
    return { field: `${field}.externalReference`, text: `must be left out when ${idName} is given` };
  if (externalReference) return { field: `${field}.externalReference`, text: 'there is no such subscription' };
  if (!given) return { field: `${field}.${idName}`, text: 'is required' };
  return readDashedId(given) ?? { field: `${field}.${idName}`, text: UNKNOWN };
}

/** The entries whose subscription appears more often than allowed. */
function findCrowded(ids: readonly string[]): number[] {
  const counts = new Map<string, number>();
  return ids.flatMap((id, index) => {
    const count = (counts.get(id) ?? 0) + 1;
    counts.set(id, count);
    return count > MOST_OF_SUBSCRIPTION ? [index] : [];
  });
}

/** The request with canonical ids: however they were written, it is the same bulk. */
const meantBy = (body: BulkBody, { listName, idName }: Spelling, entries: readonly NewBulkEntry[]): object => ({
  ...body,
  [listName]: body[listName]?.map((entry, index) => ({ ...entry, [idName]: entries[index]?.subscriptionId })),
});

/** Either all of them exist, or nothing is done. */
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

// Long enough for thousands.
const RETRY_AFTER_S = 60;

const MOST_WAIT = `${MOST_WAITING_ENTRIES} entries of bulks may, with ${MOST_WAITING_BYTES / 1_048_576} MiB of orders`;

const TOO_MANY_WAIT = `Too many charges wait: of one merchant ${MOST_WAIT}; nothing was done. The Retry-After header says when to come back.`;

const OTHER_CONTENT = 'A bulk with this name was asked for with other content; a new bulk needs a new name.';

export const createBulkOf =
  (spelling: Spelling, purpose: BulkPurpose) =>
  async (request: FastifyRequest, context: RouteContext, reply: FastifyReply): Promise<Answer> => {
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
      kind: spelling.kind,
      purpose,
      ...(externalId !== undefined && { externalId }),
      ...(key !== undefined && { key }),
      createdBy: keyIdOf(request),
      request: digestOf(meantBy(body, spelling, entries)),
      ...(webHooks && { webHooks }),
      entries,
    };
    const created = await createBulk(store, bulk);
    if (created === 'too_many_wait') throw new TooManyRequests(TOO_MANY_WAIT, RETRY_AFTER_S);
    if (created !== 'made') {
      if (!created.isSameRequest) return failure(422, '1026', OTHER_CONTENT);
      reply.header('idempotent-replayed', 'true');
      return answerWith(202, { bulkId: created.id });
    }
    if (entries.length <= MOST_BEGUN_AT_ONCE) {
      const enough = sleep(LONGEST_BEGINNING_MS, undefined, { ref: false });
      await Promise.race([beginBulk(context.payments, bulk.id), enough]);
    }
    return answerWith(202, { bulkId: bulk.id });
  };
