// Works off bulks in the background, as every process does: entries are claimed in the database with a lease, merchants in
// turn, a few at once, so that a bulk of thousands slows nobody down. An entry is a charge under a payment's id that was
// drawn when the bulk was asked for: whoever takes it up again finds that payment, and charges nothing twice.
import { setTimeout as sleep } from 'node:timers/promises';
import { AcquirerAway } from '../acquirers/guard.ts';
import { simulator } from '../acquirers/simulator.ts';
import type { AcquirerRequest, Unknown } from '../acquirers/acquirer.ts';
import type { Outcome } from '../domain/settle.ts';
import { describeSubscriptionRefusal, REFUSED_BY_ISSUER } from '../domain/subscription-decline.ts';
import type { Subscription } from '../domain/subscription.ts';
import type { JobObserver } from '../ops/jobs.ts';
import { claimEntries, finishEntry, postponeEntry } from '../store/bulks.ts';
import type { ClaimOptions, DueEntry, EntryEnd } from '../store/bulks.ts';
import { findSubscription } from '../store/subscriptions.ts';
import { isLocal } from './acquirers.ts';
import { chargeSubscription, isOver } from './charge-subscription.ts';
import type { ChargedSubscription } from './charge-subscription.ts';
import type { Payments } from './service.ts';

// Few, so that those who wait for an answer find room; two merchants with bulks share them.
const MOST_AT_ONCE = 8;
const OF_MERCHANT_AT_ONCE = 4;
// Longer than one charge can take.
const LEASE_MS = 60_000;
const PAUSE_MS = 500;
// What is not known yet is found out by the resolver; who asks again after this finds it.
const PENDING_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 300_000;
// With the pauses above this is days: an acquirer that is away for so long is not coming back for it.
const MOST_TRIES = 1_000;
const JOB = 'bulk';

const GIVEN_UP: EntryEnd = {
  state: 'failed',
  code: '1000',
  message: 'It could not be done in days, and was given up; nothing was charged.',
  source: 'internal',
};

/** Undefined while it is not known. */
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
      return undefined;
    case 'replayed':
    case 'other_request_had_key':
    case 'first_request_still_runs':
      throw new Error('an entry of a bulk has no idempotency key');
  }
}

async function charge(payments: Payments, entry: DueEntry): Promise<EntryEnd | undefined> {
  const { merchantId, kind, subscriptionId, paymentId, order, myReference, webHooks } = entry;
  if (order === undefined) throw new Error(`entry ${entry.place} of bulk ${entry.bulkId} has no order`);
  const given = { ...(myReference !== undefined && { myReference }), ...(webHooks && { webHooks }) };
  return endOf(await chargeSubscription(payments, { merchantId, kind, subscriptionId, paymentId, order, ...given }));
}

/** Asks about the card alone: a reservation of nothing, under the entry's own id. */
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
  if (isOver(subscription)) return { state: 'failed', code: '1030', message: 'The subscription has ended.' };
  const outcome = await askAbout(payments, subscription, paymentId);
  if (outcome.result === 'unknown') return undefined;
  if (outcome.result === 'approved') return { state: 'succeeded' };
  return { state: 'failed', code: outcome.issuerCode ?? '1022', message: REFUSED_BY_ISSUER };
}

const pauseAfter = (tries: number): number => Math.min(PENDING_PAUSE_MS * 2 ** Math.min(tries, 10), LONGEST_PAUSE_MS);

/** Does one, or puts it off; throws what is nobody's fault but ours. */
async function work(payments: Payments, entry: DueEntry): Promise<void> {
  const { pool } = payments.store;
  try {
    const end = await (entry.purpose === 'charge' ? charge(payments, entry) : verify(payments, entry));
    // A payment that is pending is found out by the resolver; a question about a card is asked so often and no more.
    const isGivenUp = entry.purpose === 'verification' && entry.tries > MOST_TRIES;
    if (end ?? isGivenUp) await finishEntry(pool, entry, end ?? GIVEN_UP);
    else await postponeEntry(pool, entry, pauseAfter(entry.tries));
  } catch (error) {
    if (!(error instanceof AcquirerAway)) throw error;
    // It is turned away before anything is done, and a payment that is there already is found before that.
    if (entry.tries > MOST_TRIES) return finishEntry(pool, entry, GIVEN_UP);
    await postponeEntry(pool, entry, Math.max(error.againAfterMs, pauseAfter(entry.tries)));
  }
}

/** A small bulk is begun at once: its merchant reads it right after asking. What fails here is taken up later. */
export async function beginBulk(payments: Payments, bulkId: string): Promise<void> {
  const limits = { most: MOST_AT_ONCE, ofMerchant: MOST_AT_ONCE, leaseMs: LEASE_MS, bulkId };
  const entries = await claimEntries(payments.store.queue, limits).catch(() => []);
  await Promise.all(entries.map((entry) => work(payments, entry).catch(() => {})));
}

export function startBulkWorker(payments: Payments, observer: JobObserver): { stop(): Promise<void> } {
  const { queue } = payments.store;
  const stopping = new AbortController();
  const underWay = new Set<Promise<void>>();

  const round = async (): Promise<number> => {
    const limits: ClaimOptions = {
      most: MOST_AT_ONCE - underWay.size,
      ofMerchant: OF_MERCHANT_AT_ONCE,
      leaseMs: LEASE_MS,
    };
    const entries = await claimEntries(queue, limits);
    for (const entry of entries) {
      const working = work(payments, entry)
        .catch((error: unknown) => observer.onTrouble(JOB, error))
        .finally(() => underWay.delete(working));
      underWay.add(working);
    }
    return entries.length;
  };

  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const startedAt = performance.now();
      const tell = (error?: unknown): void => observer.onRun(JOB, (performance.now() - startedAt) / 1_000, error);
      const count = await round().then(
        (claimed) => {
          tell();
          return claimed;
        },
        (error: unknown) => {
          tell(error);
          return 0;
        },
      );
      // Where many wait, the next come as soon as half of the slots are free.
      while (underWay.size > MOST_AT_ONCE / 2) await Promise.race(underWay);
      if (underWay.size > 0 && count === 0) await Promise.race(underWay);
      else if (count === 0) await sleep(PAUSE_MS, undefined, { ref: false, signal: stopping.signal }).catch(() => {});
    }
    await Promise.all(underWay);
  };
  const running = run();
  return {
    stop: () => {
      stopping.abort();
      return running;
    },
  };
}
