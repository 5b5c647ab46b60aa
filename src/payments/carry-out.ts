// Carries out a movement at an acquirer on another machine, between two commits: its intent is committed already, the
// acquirer is asked under the movement's id, and what it says is committed once, whoever brings it. An answer that was
// lost is asked for; it is never guessed.
import type { Unknown } from '../acquirers/acquirer.ts';
import type { GuardedAcquirer } from '../acquirers/guard.ts';
import { charge } from '../domain/charge.ts';
import { joinChanges } from '../domain/decision.ts';
import type { Change } from '../domain/decision.ts';
import { partOf, timeOf } from '../domain/id.ts';
import type { Movement } from '../domain/movement.ts';
import type { Payment } from '../domain/payment.ts';
import { settle } from '../domain/settle.ts';
import type { Outcome } from '../domain/settle.ts';
import { reached } from '../ops/steps.ts';
import { Overloaded } from '../store/group.ts';
import { DatabaseAway } from '../store/pool.ts';
import { newId } from './ids.ts';
import type { Patience } from './patience.ts';
import { requestOf } from './service.ts';
import type { Payments } from './service.ts';
import { takeTurn } from './turns.ts';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 1_000;
// A question and, where the acquirer does not know the movement, the movement again.
const CALLS_OF_A_QUESTION = 2;

const NOT_HEARD_YET: Unknown = { result: 'unknown', why: 'it has not heard of the reservation' };
/** The reason of a reservation that was given up: the acquirer has no line of it, and no money moved. */
export const NEVER_HEARD = 'the acquirer never heard of it';
const NEVER_ARRIVED: Outcome = { result: 'declined', reason: NEVER_HEARD, retryable: true };

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** The payment with one of its movements. */
export type Carried = { readonly payment: Payment; readonly movement: Movement };

/**
 * A reservation is given up when the acquirer does not know it some time after it was made, so however late it is sent,
 * it must not be acted on after that. Everything else is sent until there is an outcome.
 */
const validUntil = ({ kind, id }: Movement, { validMs }: Patience): number =>
  (kind === 'reservation' ? timeOf(id) : Date.now()) + validMs;

/**
 * An acquirer that has too many calls has not done this one: it is sent again when the acquirer has said, while there is
 * time, and under the same id and with the same end of a reservation as before. A question in between would only take
 * the place of it.
 */
async function send(
  acquirer: GuardedAcquirer,
  { payment, movement }: Carried,
  patience: Patience,
  untilMs: number,
): Promise<Outcome | Unknown> {
  for (;;) {
    await reached('before send', payment.id);
    const outcome = await acquirer.send(requestOf(payment, movement), validUntil(movement, patience));
    await reached('after send', payment.id);
    const againAfterMs = outcome.result === 'unknown' ? outcome.againAfterMs : undefined;
    if (againAfterMs === undefined || Date.now() + againAfterMs + patience.callMs > untilMs) return outcome;
    await pause(againAfterMs);
  }
}

/**
 * One question about a movement that was sent before, perhaps. What the acquirer does not know is sent again; but not a
 * reservation, whose consumer has gone: it is given up once no request can be under way any more.
 */
export async function ask(
  acquirer: GuardedAcquirer,
  carried: Carried,
  patience: Patience,
  untilMs = Date.now() + patience.answerMs,
): Promise<Outcome | Unknown> {
  const { movement } = carried;
  // The acquirer looks into its book after this moment, not after its answer has come.
  const isOver = Date.now() > validUntil(movement, patience) + patience.clocksDifferMs;
  const found = await acquirer.find(movement.id);
  if (found.result !== 'not_found') return found;
  if (movement.kind !== 'reservation') return send(acquirer, carried, patience, untilMs);
  return isOver ? NEVER_ARRIVED : NOT_HEARD_YET;
}

/** Sends it, and asks for what came of it as long as there is time for a question. */
async function determine(
  acquirer: GuardedAcquirer,
  carried: Carried,
  patience: Patience,
  untilMs: number,
): Promise<Outcome | Unknown> {
  const lastQuestionAt = untilMs - CALLS_OF_A_QUESTION * patience.callMs;
  let outcome = await send(acquirer, carried, patience, untilMs);
  for (let pauseMs = FIRST_PAUSE_MS; outcome.result === 'unknown';) {
    const restMs = Math.max(pauseMs, outcome.againAfterMs ?? 0);
    if (Date.now() + restMs >= lastQuestionAt) break;
    await pause(restMs);
    outcome = await ask(acquirer, carried, patience, untilMs);
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
  }
  return outcome;
}

/** A reservation that is approved is charged at once where the shop asked for it: the intent of that charge. */
function chargeIntent(payments: Payments, { payment }: Change, movement: Movement, at: number): Change | undefined {
  if (movement.kind !== 'reservation' || payment.checkout.charge !== true) return undefined;
  const whole = { movementId: newId(at, partOf(payment.id)), amount: payment.order.amount, items: [] };
  return charge(payment, whole, at, { lifetimes: payments.lifetimes, strictItems: false }).change;
}

/** Commits the outcome, unless somebody else has. Gives the payment as it is then. */
export async function settleOnce(
  payments: Payments,
  paymentId: string,
  movementId: string,
  outcome: Outcome,
): Promise<Carried> {
  const { ownTryMs } = payments.acquirers.patience;
  let endTurn: (() => void) | undefined;
  try {
    for (;;) {
      const { payment } = await payments.store.load({ merchantId: null, target: paymentId });
      const movement = payment?.movements.find(({ id }) => id === movementId);
      if (payment === undefined || movement === undefined) throw new Error(`movement ${movementId} is gone`);
      if (movement.state !== 'pending') return { payment, movement };
      const at = Date.now();
      const settled = settle(payment, movementId, outcome, at).change;
      if (settled === undefined) throw new Error(`movement ${movementId} could not be settled`);
      const next = outcome.result === 'approved' ? chargeIntent(payments, settled, movement, at) : undefined;
      const change = next ? joinChanges(settled, next) : settled;
      await reached('before settle', paymentId);
      const committed = await payments.store.commit({ change, before: payment, ownTryMs });
      if (committed === 'committed') {
        await reached(next ? 'charge at once intended' : 'settled', paymentId);
        const now = change.payment.movements.find(({ id }) => id === movementId) as Movement;
        return { payment: change.payment, movement: now };
      }
      endTurn ??= await takeTurn(paymentId);
    }
  } finally {
    endTurn?.();
  }
}

/** The charge that a reservation brought along. */
const pendingCharge = ({ movements }: Payment): Movement | undefined =>
  movements.find(({ kind, state }) => kind === 'charge' && state === 'pending');

/** What the database cannot take or tell now, it can later. */
export const isPassing = (error: unknown): boolean => error instanceof DatabaseAway || error instanceof Overloaded;

/**
 * Carries out a movement whose intent was just committed; it comes back pending when the time was up. So it does when
 * the outcome could not be written: the answer that nothing was done would be wrong, and the resolver writes it later.
 */
export async function carryOut(
  payments: Payments,
  acquirer: GuardedAcquirer,
  carried: Carried,
  untilMs: number,
): Promise<Carried> {
  const { payment, movement } = carried;
  const { patience, onUnknown } = payments.acquirers;
  const outcome = await determine(acquirer, carried, patience, untilMs);
  const stayUnknown = (why = 'it does not answer'): Carried => {
    onUnknown({ acquirer: acquirer.name, paymentId: payment.id, movementId: movement.id, why });
    return carried;
  };
  if (outcome.result === 'unknown') return stayUnknown(outcome.why);
  const settled = await settleOnce(payments, payment.id, movement.id, outcome).catch((error: unknown) => {
    if (isPassing(error)) return stayUnknown(`its answer could not be written, ${(error as Error).message}`);
    throw error;
  });
  const atOnce = movement.kind === 'reservation' ? pendingCharge(settled.payment) : undefined;
  // With no time left for it, the resolver carries it out.
  if (atOnce && Date.now() + patience.callMs < untilMs)
    await carryOut(payments, acquirer, { payment: settled.payment, movement: atOnce }, untilMs);
  return settled;
}
