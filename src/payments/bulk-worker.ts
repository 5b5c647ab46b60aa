// Processes bulks in the background, in every process: entries are claimed in the database with a lease, merchants in
// turn, a few together, and started at a steady pace, so that a bulk of thousands slows down no one. An entry is a
// charge under a payment id that was generated with the bulk: a retry finds that payment, and charges nothing twice.
import { AcquirerAway } from '../acquirers/circuit-breaker.ts';
import { simulator } from '../acquirers/simulator.ts';
import type { AcquirerRequest, Unknown } from '../acquirers/acquirer.ts';
import type { Outcome } from '../domain/settle.ts';
import { describeSubscriptionRefusal, REFUSED_BY_ISSUER } from '../domain/subscription-decline.ts';
import type { Subscription } from '../domain/subscription.ts';
import { startRunner } from '../ops/jobs.ts';
import type { JobObserver, Runner } from '../ops/jobs.ts';
import { checkpoint } from '../ops/checkpoints.ts';
import { lookOf } from '../ops/rests.ts';
import { claimEntries, giveUpEntry, postponeEntry } from '../store/payments/bulk-entries.ts';
import type { DueEntry, EntryEnd } from '../store/payments/bulk-entries.ts';
import { Overloaded } from '../store/connections/group.ts';
import { DatabaseAway } from '../store/connections/pool.ts';
import { findSubscription } from '../store/payments/subscriptions.ts';
import { isLocal } from './acquirers.ts';
import { nowOfMerchant } from './clock.ts';
import { chargeSubscription, isOver } from './charge-subscription.ts';
import type { ChargedSubscription } from './charge-subscription.ts';
import type { Payments } from './service.ts';

// About sixty start per second: ten thousand take minutes, and there is room for other requests between two of them.
const PACE_MS = 15;
// A remote acquirer takes its time; one that hangs delays only its own merchants' entries.
const MOST_AT_ONCE = 32;
const OF_MERCHANT_AT_ONCE = 16;
// Claimed together, so that few statements are needed; two merchants with bulks get a share each.
const CLAIMED_AT_ONCE = 16;
const OF_MERCHANT_CLAIMED = 8;
// Longer than one charge can take.
const LEASE_MS = 60_000;
const PAUSE_MS = 500;
// The resolver determines unknown outcomes; a check after this finds them.
const PENDING_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 300_000;
// With the pauses above this is days: an acquirer that is down for so long is not coming back for it.
const MOST_TRIES = 1_000;
// A defect fails again; with the pauses above this is an hour in which it may be fixed.
const MOST_TRIES_WITH_DEFECT = 20;

const givenUp = (message: string): EntryEnd => ({ state: 'failed', code: '1000', message, source: 'internal' });
const GIVEN_UP = givenUp('It could not be done in days, and was given up; nothing was charged.');
const DEFECT = givenUp('Something is wrong on our side, and it was given up; nothing was charged.');

/** Undefined while it is unknown. */
function endOf(outcome: ChargedSubscription): EntryEnd | undefined {
  switch (outcome.kind) {
    case 'charged':
      return { state: 'succeeded', chargeId: outcome.charge.id };
    case 'declined': {
      const { details, acquirer } = outcome.movement;
      const code = details?.issuerCode;
      const message = REFUSED_BY_ISSUER;
      return code === undefined
        ? { state: 'failed', code: '1020', message, source: acquirer }
        : { state: 'failed', code, message, source: 'Issuer' };
    }
    case 'refused':
      return { state: 'failed', ...describeSubscriptionRefusal(outcome.refusal), source: 'internal' };
    case 'not_found':
      return { state: 'failed', code: '1031', message: 'There is no such subscription.', source: 'internal' };
    case 'pending':
    case 'not_wanted':
      return undefined;
    case 'replayed':
    case 'other_request_had_key':
    case 'outcome_of_key_is_open':
      throw new Error('an entry of a bulk has no idempotency key');
  }
}

async function charge(payments: Payments, entry: DueEntry): Promise<EntryEnd | undefined> {
  const { merchantId, kind, subscriptionId, order, myReference, webHooks, keyId } = entry;
  if (order === undefined) throw new Error(`entry ${entry.place} of bulk ${entry.bulkId} has no order`);
  const given = {
    ...(myReference !== undefined && { myReference }),
    ...(webHooks && { webHooks }),
    ...(keyId !== undefined && { keyId }),
  };
  return endOf(await chargeSubscription(payments, { merchantId, kind, subscriptionId, entry, order, ...given }));
}

/** Verifies the card: a reservation of 0 under the entry's own id. */
async function askAbout(payments: Payments, subscription: Subscription, id: string): Promise<Outcome | Unknown> {
  const { acquirer: name, source, kind, consent } = subscription;
  const { currency } = consent;
  const request: AcquirerRequest = {
    movementId: id,
    kind: 'reservation',
    amount: 0,
    currency,
    source,
    reservationId: id,
    credential: kind,
  };
  if (isLocal(name)) return simulator.decide(request);
  const acquirer = await payments.acquirers.find(name);
  const leave = await acquirer.enter();
  try {
    return await acquirer.send(request);
  } finally {
    leave();
  }
}

async function verify(payments: Payments, entry: DueEntry): Promise<EntryEnd | undefined> {
  const { merchantId, kind, subscriptionId, paymentId } = entry;
  const subscription = await findSubscription(payments.store.pool, merchantId, kind, subscriptionId);
  if (subscription === undefined) return endOf({ kind: 'not_found' });
  if (isOver(subscription, await nowOfMerchant(payments.store, merchantId)))
    return { state: 'failed', code: '1030', message: 'The subscription has ended.' };
  const outcome = await askAbout(payments, subscription, paymentId);
  if (outcome.result === 'unknown') return undefined;
  if (outcome.result === 'approved') return { state: 'succeeded' };
  return { state: 'failed', code: outcome.issuerCode ?? '1022', message: REFUSED_BY_ISSUER };
}

const pauseAfter = (tries: number): number => Math.min(PENDING_PAUSE_MS * 2 ** Math.min(tries, 10), LONGEST_PAUSE_MS);

/** Temporary failures: an acquirer, the database or this process is overloaded or down. */
const isPassing = (error: unknown): boolean =>
  error instanceof AcquirerAway || error instanceof DatabaseAway || error instanceof Overloaded;

/** Executes an entry, or postpones it; throws errors other than temporary failures. */
async function work(payments: Payments, entry: DueEntry, isAwaited = false): Promise<void> {
  const { store } = payments;
  const { bulkId, place, paymentId, purpose, tries, timeline } = entry;
  try {
    await checkpoint('entry claimed', paymentId);
    // A claim waits for no standby: a bulk that was only on a lost primary belongs to no one, and if it was requested
    // again, it would be charged twice.
    if (timeline) await store.confirm(timeline);
    const end = await (purpose === 'charge' ? charge(payments, entry) : verify(payments, entry));
    await checkpoint('entry done', paymentId);
    // The resolver determines the outcome of a pending payment; a card verification is only retried so often.
    const isGivenUp = purpose === 'verification' && tries > MOST_TRIES;
    if (end ?? isGivenUp) await store.finishEntry({ bulkId, place, end: end ?? GIVEN_UP }, isAwaited);
    else await postponeEntry(store.pool, entry, pauseAfter(tries));
    await checkpoint('entry ended', paymentId);
  } catch (error) {
    const most = isPassing(error) ? MOST_TRIES : MOST_TRIES_WITH_DEFECT;
    // If the acquirer rejected the call, nothing was done; after any other error it may have been, so its payment is
    // looked up.
    const isEnded = tries > most && (await giveUpEntry(store.pool, entry, isPassing(error) ? GIVEN_UP : DEFECT));
    const againAfterMs = error instanceof AcquirerAway ? error.againAfterMs : 0;
    if (!isEnded) await postponeEntry(store.pool, entry, Math.max(againAfterMs, pauseAfter(tries)));
    if (!(error instanceof AcquirerAway)) throw error;
  }
}

/**
 * A small bulk is started immediately: its merchant reads it right after creating it. Errors here are retried later.
 */
export async function beginBulk(payments: Payments, bulkId: string): Promise<void> {
  const limits = { most: OF_MERCHANT_CLAIMED, ofMerchant: OF_MERCHANT_CLAIMED, leaseMs: LEASE_MS, bulkId };
  const { entries } = await claimEntries(payments.store.queue, limits).catch(() => ({ entries: [] }));
  await Promise.all(entries.map((entry) => work(payments, entry, true).catch(() => {})));
}

export function startBulkWorker(payments: Payments, observer: JobObserver): Runner {
  const { queue, notices } = payments.store;
  return startRunner<DueEntry>(observer, notices, {
    name: 'bulk',
    everyMs: PAUSE_MS,
    mostAtOnce: MOST_AT_ONCE,
    paceMs: PACE_MS,
    claim: async ({ underWay }) => {
      const byMerchant = Map.groupBy(underWay.keys(), ({ merchantId }) => merchantId);
      // Merchants that have the maximum in progress.
      const except = [...byMerchant].flatMap(([id, { length }]) =>
        length + OF_MERCHANT_CLAIMED > OF_MERCHANT_AT_ONCE ? [id] : [],
      );
      const most = Math.min(CLAIMED_AT_ONCE, MOST_AT_ONCE - underWay.size);
      const limits = { most, ofMerchant: OF_MERCHANT_CLAIMED, leaseMs: LEASE_MS, except };
      const { entries: pieces, nextInMs } = await claimEntries(queue, limits);
      // There may be more that are due now.
      const leastMs = pieces.length > 0 ? 0 : undefined;
      return { look: lookOf(pieces.length), dueInMs: nextInMs, leastMs, pieces };
    },
    // Entries that will not be started are released for other processes.
    work: (entry, { aborted }) => (aborted ? postponeEntry(queue, entry, 0) : work(payments, entry)),
    // The end of one may be what another has waited for.
    isWokenBy: () => true,
  });
}
