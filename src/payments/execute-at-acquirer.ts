// Executes a movement at a remote acquirer, between two commits: its intent is already committed, the acquirer is
// called with the movement's id, and its answer is committed once, by whichever process has it. A lost answer is asked
// for, never guessed. At the timeout the movement stays pending: the client is answered that the outcome is not known,
// and the resolver continues. The timeouts are in acquirer-timeouts.ts; acquirers/circuit-breaker.ts rejects calls to
// an acquirer that keeps failing.
import type { Unknown } from '../acquirers/acquirer.ts';
import type { ProtectedAcquirer } from '../acquirers/circuit-breaker.ts';
import { REFUND_CANCELLED } from '../domain/cancel-refund.ts';
import { committedOf, joinChanges } from '../domain/decision.ts';
import type { Change } from '../domain/decision.ts';
import type { Movement } from '../domain/movement.ts';
import type { Payment } from '../domain/payment.ts';
import { isRenewal } from '../domain/subscription.ts';
import { settle } from '../domain/settle.ts';
import type { Outcome } from '../domain/settle.ts';
import { checkpoint } from '../ops/checkpoints.ts';
import type { Loaded } from '../store/payments/load.ts';
import { foundByResolver } from './attribution.ts';
import { cancelRest } from './cancel-rest.ts';
import { chargeAtOnce } from './charge-at-once.ts';
import { nowOfMerchant } from './clock.ts';
import { perform } from './engine.ts';
import type { AcquirerTimeouts } from './acquirer-timeouts.ts';
import { requestOf } from './service.ts';
import type { Payments } from './service.ts';
import { executionIn } from './outcome.ts';
import type { Execution } from './outcome.ts';
import { lockPayment } from './payment-lock.ts';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 1_000;
// A question and, if the acquirer does not know the movement, sending it again.
const CALLS_OF_A_QUESTION = 2;

const NOT_HEARD_YET: Unknown = { result: 'unknown', why: 'it has not heard of the reservation' };
/** The reason of an abandoned reservation: the acquirer has no record of it, and no money moved. */
export const NEVER_HEARD = 'the acquirer never heard of it';
const NEVER_ARRIVED: Outcome = { result: 'declined', reason: NEVER_HEARD, retryable: true };

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * An acquirer that is overloaded has not executed this movement: it is sent again after the delay that the acquirer
 * asked for, if there is time, under the same id. A question before that would only take its place.
 */
async function send(
  acquirer: ProtectedAcquirer,
  { payment, movement }: Execution,
  timeouts: AcquirerTimeouts,
  until: number,
): Promise<Outcome | Unknown> {
  for (;;) {
    await checkpoint('before send', payment.id);
    const outcome = await acquirer.send(requestOf(payment, movement));
    await checkpoint('after send', payment.id);
    const againAfterMs = outcome.result === 'unknown' ? outcome.againAfterMs : undefined;
    if (againAfterMs === undefined || performance.now() + againAfterMs + timeouts.callMs > until) return outcome;
    await pause(againAfterMs);
  }
}

/**
 * A reservation for which a consumer waited at the page is never sent twice: they have left. That of a subscription had
 * no consumer waiting, and is sent again, like charges, refunds and cancels.
 */
const needsConsumer = ({ payment, movement }: Execution): boolean =>
  movement.kind === 'reservation' && !isRenewal(payment);

/** Asks about a movement that may have been sent before. If the acquirer does not know it, sends it again. */
async function ask(
  acquirer: ProtectedAcquirer,
  execution: Execution,
  timeouts: AcquirerTimeouts,
  until: number,
): Promise<Outcome | Unknown> {
  const { movement } = execution;
  const found = await acquirer.find(movement.id);
  if (found.result !== 'not_found') return found;
  return needsConsumer(execution) ? NOT_HEARD_YET : send(acquirer, execution, timeouts, until);
}

/**
 * A reservation is never sent twice, since its consumer has left. If the acquirer does not know it, it is forbidden
 * there before it is declined here, so that a delayed request for it has no effect. The same holds for a refund that
 * its merchant has cancelled.
 */
async function giveUp(acquirer: ProtectedAcquirer, { movement }: Execution): Promise<Outcome | Unknown> {
  const found = await acquirer.forbid(movement.id);
  if (found.result !== 'not_found') return found;
  return movement.kind === 'refund' ? REFUND_CANCELLED : NEVER_ARRIVED;
}

const isCancelAsked = ({ movement: { details } }: Execution): boolean => details?.cancelAsked === true;

/** The outcome of a movement for which no client waits. */
export function resolveOutcome(
  acquirer: ProtectedAcquirer,
  execution: Execution,
  timeouts: AcquirerTimeouts,
): Promise<Outcome | Unknown> {
  if (needsConsumer(execution) || isCancelAsked(execution)) return giveUp(acquirer, execution);
  return ask(acquirer, execution, timeouts, performance.now() + timeouts.answerMs);
}

/** Sends it, and asks for its outcome while there is time; or calls it back. */
async function determine(
  acquirer: ProtectedAcquirer,
  execution: Execution,
  timeouts: AcquirerTimeouts,
  until: number,
): Promise<Outcome | Unknown> {
  if (isCancelAsked(execution)) {
    await checkpoint('before send', execution.payment.id);
    const outcome = await giveUp(acquirer, execution);
    await checkpoint('after send', execution.payment.id);
    return outcome;
  }
  const isGivenUpWithoutAnswer = needsConsumer(execution);
  const lastQuestionAt = until - CALLS_OF_A_QUESTION * timeouts.callMs;
  let outcome = await send(acquirer, execution, timeouts, until);
  if (isGivenUpWithoutAnswer && outcome.result === 'unknown' && outcome.notSent) return NEVER_ARRIVED;
  for (let pauseMs = FIRST_PAUSE_MS; outcome.result === 'unknown';) {
    const restMs = Math.max(pauseMs, outcome.againAfterMs ?? 0);
    if (performance.now() + restMs >= lastQuestionAt) break;
    await pause(restMs);
    outcome = await ask(acquirer, execution, timeouts, until);
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
  }
  // Uses the time that sending it again would have taken.
  return isGivenUpWithoutAnswer && outcome.result === 'unknown' ? giveUp(acquirer, execution) : outcome;
}

/**
 * What follows a settled movement: the immediate charge after a reservation, the cancel of the rest after a final
 * charge.
 */
function nextAfter(payments: Payments, payment: Payment, { id, kind }: Movement, at: number): Change | undefined {
  const isApproved = payment.movements.find((movement) => movement.id === id)?.state === 'approved';
  if (kind === 'reservation') return isApproved ? chargeAtOnce(payments, payment, at)?.decision.change : undefined;
  return kind === 'charge' ? cancelRest(payments, payment, at)?.change : undefined;
}

/** What to settle; `known`: the payment as it was last committed, which is not read again if it is still current. */
type Settling = {
  readonly paymentId: string;
  readonly movementId: string;
  readonly known?: Payment;
  readonly isResolved?: boolean;
};

/** The two that follow a commit are checkpoints as well. */
type Settled = Execution & { readonly kind: 'settled' | 'next intended' | 'settled before' };

/** Commits the outcome, unless another process has. Returns the payment as it is then. */
export async function settleOnce(
  payments: Payments,
  { paymentId, movementId, known, isResolved = false }: Settling,
  outcome: Outcome,
): Promise<Execution> {
  const { store, acquirers } = payments;
  let last = known;
  const { kind, payment, movement } = await perform<Execution, Settled, never>(payments, {
    target: movementId,
    load: async (run) => {
      run.lock ??= await lockPayment(paymentId, run.giveUpAt);
      const passed = run.lock.passedTo({ merchantId: null }) ?? last;
      last = undefined;
      const loaded: Loaded = passed ? { payment: passed } : await store.load({ merchantId: null, target: paymentId });
      const now = executionIn(loaded.payment, movementId);
      if (now.movement.state === 'pending') return { step: 'decide', subject: now };
      return { step: 'confirm', outcome: { kind: 'settled before', ...now }, timeline: loaded.timeline };
    },
    decide: async ({ payment: before, movement: pending }) => {
      const at = await nowOfMerchant(store, before.merchantId);
      const decided = settle(before, movementId, outcome, at).change;
      if (decided === undefined) throw new Error(`movement ${movementId} could not be settled`);
      const settled = isResolved ? foundByResolver(decided, movementId) : decided;
      const next = nextAfter(payments, settled.payment, pending, at);
      const change = next ? joinChanges(settled, next) : settled;
      await checkpoint('before settle', paymentId);
      const now = executionIn(committedOf(change, before), movementId);
      const came: Settled = { kind: next ? 'next intended' : 'settled', ...now };
      const { ownTryMs } = acquirers.timeouts;
      return { step: 'record', proposal: { gate: 'payment', before, change, outcome: came, ownTryMs } };
    },
  });
  if (kind === 'settled' || kind === 'next intended') await checkpoint(kind, paymentId);
  return { payment, movement };
}

const BRINGS_ALONG: Partial<Record<Movement['kind'], Movement['kind']>> = { reservation: 'charge', charge: 'cancel' };

/** The charge that followed a reservation, or the cancel that followed a final charge. */
const broughtAlong = ({ movements }: Payment, { kind: cause, sequence: after, details }: Movement) =>
  cause === 'charge' && details?.finalCharge !== true
    ? undefined
    : // The newest: a cancel requested by the shop may be in progress as well.
      movements.findLast(
        ({ kind, state, sequence }) => kind === BRINGS_ALONG[cause] && state === 'pending' && sequence > after,
      );

/**
 * Executes a movement whose intent was just committed; it is returned pending at the timeout. The same holds if the
 * outcome could not be written, for whatever reason: it must not be reported as not done, and the resolver writes it
 * later. The timeout uses a monotonic clock.
 */
export async function executeAtAcquirer(
  payments: Payments,
  acquirer: ProtectedAcquirer,
  execution: Execution,
  until: number,
): Promise<Execution> {
  const { payment, movement } = execution;
  const { timeouts, onUnknown } = payments.acquirers;
  const stayUnknown = (why = 'it does not answer'): Execution => {
    onUnknown({ acquirer: acquirer.name, paymentId: payment.id, movementId: movement.id, why });
    return execution;
  };
  let settled: Execution;
  try {
    const outcome = await determine(acquirer, execution, timeouts, until);
    if (outcome.result === 'unknown') return stayUnknown(outcome.why);
    const settling = { paymentId: payment.id, movementId: movement.id, known: payment };
    settled = await settleOnce(payments, settling, outcome);
  } catch (error) {
    return stayUnknown(`its answer could not be written, ${(error as Error).message}`);
  }
  const next = broughtAlong(settled.payment, movement);
  // If there is no time left for it, the resolver executes it.
  if (next === undefined || performance.now() + timeouts.callMs >= until) return settled;
  const following = await executeAtAcquirer(payments, acquirer, { payment: settled.payment, movement: next }, until);
  return { payment: following.payment, movement: settled.movement };
}
