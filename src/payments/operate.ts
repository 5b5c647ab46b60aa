// The one path of every change: load → decide → commit. A conflict is decided again on what is there now; a request
// that brings an idempotency key finds its first answer, or leaves its own with the change it made. A movement at an
// acquirer on another machine is committed as an intent first, and answered when its outcome is known.
import { altered } from '../domain/decision.ts';
import type { Change, Decision } from '../domain/decision.ts';
import type { Movement } from '../domain/movement.ts';
import { NO_ID } from '../domain/id.ts';
import type { Merchant } from '../domain/merchant.ts';
import type { Payment } from '../domain/payment.ts';
import type { NewIdempotencyRecord } from '../store/commit-request.ts';
import { Overloaded } from '../store/group.ts';
import type { IdempotencyRecord, KeyedOperation, Loaded, LoadRequest } from '../store/load.ts';
import { executeAtAcquirer } from './execute-at-acquirer.ts';
import type { Execution } from './execute-at-acquirer.ts';
import { anyPartOf, newId, partOfKey } from './ids.ts';
import type { Payments } from './service.ts';
import { checkpoint } from '../ops/checkpoints.ts';
import { isLockedFor, LONGEST_TRY_MS, lockFree, lockPayment } from './payment-lock.ts';
import type { PaymentLock } from './payment-lock.ts';

/** What the merchant is told: a status and a JSON text, or no text at all. */
export type Answer = { readonly status: number; readonly body: string };

export type IdempotencyKey = {
  readonly key: string;
  /** SHA-256 of the request's JSON, in hex. */
  readonly request: string;
};

export type Operated =
  | { readonly kind: 'answered'; readonly answer: Answer; readonly replayed: boolean }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'other_request_had_key' }
  | { readonly kind: 'first_request_still_runs' };

/**
 * A decision and what the answer needs of it. Without a decision everything stays as it is; undefined says that the
 * payment has no such thing as was asked for.
 */
export type Decide<Result> = (
  payment: Payment,
  at: number,
) => { readonly decision: Decision | undefined; readonly result: Result } | undefined;

export type Operation<Result> = {
  readonly merchant: Merchant;
  readonly target: string;
  readonly isMovement?: boolean;
  readonly onLarge?: LoadRequest['onLarge'];
  readonly keyed?: { readonly operation: KeyedOperation; readonly idempotency: IdempotencyKey | undefined };
  readonly decide: Decide<Result>;
  readonly answer: (decision: Decision | undefined, result: Result, payment: Payment) => Answer;
};

// Who has the payment lock loses to other processes alone; this often is a defect, not a race.
const MOST_TRIES = 1_000;

function replay(record: IdempotencyRecord, idempotency: IdempotencyKey, late?: () => Answer | undefined): Operated {
  if (record.request !== idempotency.request) return { kind: 'other_request_had_key' };
  if (record.status === undefined) {
    const answer = late?.();
    return answer ? { kind: 'answered', answer, replayed: true } : { kind: 'first_request_still_runs' };
  }
  return { kind: 'answered', answer: { status: record.status, body: record.answer }, replayed: true };
}

const answered = (answer: Answer): Operated => ({ kind: 'answered', answer, replayed: false });

/**
 * An answer that follows from what was found, and not from a commit of one's own, waits for the standby as well: whoever
 * is told that something was done, or cannot be done any more, relies on it.
 */
async function confirmed({ store }: Payments, found: Operated, isSynchronous = false): Promise<Operated> {
  if (isSynchronous && found.kind === 'answered') await store.confirm();
  return found;
}

/** What an operation holds while it tries: its lock on the payment, and at which version its key had no answer yet. */
type Hold = { readonly giveUpAt: number; lock?: PaymentLock | undefined; version?: number };

/** It has to be tried again: the payment was lost to another request, or has to be read. */
const AGAIN = { kind: 'again' } as const;

export async function operate<Result>(payments: Payments, operation: Operation<Result>): Promise<Operated> {
  const { merchant, target, isMovement = false, keyed } = operation;
  const hold: Hold = { giveUpAt: performance.now() + LONGEST_TRY_MS };
  try {
    // Who brings a key has to look for its answer first.
    const isPaymentKnown = !isMovement && keyed?.idempotency === undefined;
    if (isPaymentKnown && isLockedFor(target, merchant.id))
      hold.lock = await lockPayment(target, hold.giveUpAt, merchant.id);
    for (let tries = 0; tries < MOST_TRIES && performance.now() < hold.giveUpAt; tries += 1) {
      const attempt = await attemptOnce(payments, operation, hold);
      if (typeof attempt === 'function') {
        // Others may change the payment while its acquirer is asked.
        hold.lock?.release();
        hold.lock = undefined;
        return await attempt();
      }
      if (attempt.kind !== 'again') return attempt;
    }
  } finally {
    hold.lock?.release();
  }
  throw new Overloaded(`a change of ${target} lost to others for too long`);
}

/** The movement that a change made and left to an acquirer on another machine. */
const intentOf = ({ moved }: Change, before: Payment): Movement | undefined =>
  moved.find(({ state, sequence }) => state === 'pending' && sequence > before.movements.length);

const unknownOutcomeOf = ({ payment, movement }: Execution, hasKey: boolean): Decision => ({
  change: { payment, moved: [movement], events: [] },
  refusal: { name: 'outcome_is_unknown', kind: movement.kind, hasKey },
});

/** A movement's outcome, as a decision: what is answered follows from it alone, whenever it is asked for. */
function decisionOf({ payment, movement }: Execution, hasKey: boolean): Decision {
  const change: Change = { payment, moved: [movement], events: [] };
  const { kind, acquirer, state } = movement;
  if (state === 'declined')
    return { change, refusal: { name: 'acquirer_declined', kind, reason: movement.reason ?? '', acquirer } };
  // A refund has a state of its own for it, which the merchant can read.
  return state === 'pending' && kind !== 'refund' ? unknownOutcomeOf({ payment, movement }, hasKey) : { change };
}

/** The payment as the one before at its lock has left it, or else as it is read, with the idempotency record of the key. */
async function read<Result>(
  { store }: Payments,
  { merchant, target, isMovement = false, keyed, onLarge }: Operation<Result>,
  { lock, version }: Hold,
): Promise<Loaded & { readonly isPassedOn: boolean }> {
  const idempotency = keyed?.idempotency;
  const key = keyed && idempotency && keyNameOf(keyed.operation, target, idempotency);
  const payment = lock?.passedTo({ merchantId: merchant.id, key, version });
  if (payment !== undefined) return { payment, isPassedOn: true };
  const loaded = await store.load({
    merchantId: merchant.id,
    target,
    isMovement,
    onLarge,
    ...(idempotency && keyed && { operation: keyed.operation, key: idempotency.key }),
  });
  return { ...loaded, isPassedOn: false };
}

const keyNameOf = (operation: KeyedOperation, target: string, { key }: IdempotencyKey): string =>
  `${operation} ${target} ${key}`;

/** Gives what came of it, what is still to be done for it, or that it has to be tried again. */
async function attemptOnce<Result>(
  payments: Payments,
  operation: Operation<Result>,
  hold: Hold,
): Promise<Operated | typeof AGAIN | (() => Promise<Operated>)> {
  const { store, acquirers } = payments;
  const { target, keyed } = operation;
  const idempotency = keyed?.idempotency;
  const { payment, record: first, isPassedOn, isSynchronous } = await read(payments, operation, hold);
  if (payment === undefined) return { kind: 'not_found' };
  const answerFound = (found: Operated) => () => confirmed(payments, found, isSynchronous);
  if (first && idempotency) return answerFound(replay(first, idempotency, () => answerLate(operation, payment, first)));
  hold.version = payment.version;
  hold.lock ??= lockFree(payment.id, payment.merchantId);
  if (hold.lock === undefined) {
    // Whoever has it will have moved it on.
    hold.lock = await lockPayment(payment.id, hold.giveUpAt, payment.merchantId);
    return AGAIN;
  }
  const { lock } = hold;

  const at = Date.now();
  const until = performance.now() + acquirers.timeouts.answerMs;
  const decided = operation.decide(payment, at);
  // What changes nothing has no gate, so it is decided on what was read: another process may have moved it on.
  if (isPassedOn && decided?.decision?.change === undefined && (idempotency === undefined || !decided?.decision)) {
    lock.forget();
    return AGAIN;
  }
  if (decided === undefined) return { kind: 'not_found' };
  const { decision, result } = decided;
  const intent = decision?.change && intentOf(decision.change, payment);
  const answer = intent ? { status: undefined, body: '' } : operation.answer(decision, result, payment);
  if (decision === undefined || (!decision.change && !idempotency)) return answerFound(answered(answer as Answer));
  const record: NewIdempotencyRecord | undefined = idempotency &&
    keyed && {
      ...idempotency,
      operation: keyed.operation,
      target,
      paymentId: payment.id,
      ...(answer.status !== undefined && { status: answer.status }),
      answer: answer.body,
      ...(intent && { movementId: intent.id }),
    };
  // A refusal with a key is a new version and nothing else: that gates its record, so that one key has one answer.
  const change = decision.change ?? altered(payment);
  const request = { change, before: payment, ...(record && { record }) };
  const key = keyed && idempotency && keyNameOf(keyed.operation, target, idempotency);
  const commit = async (ownTryMs?: number): Promise<boolean> => {
    const committed = await store.commit({ ...request, ...(ownTryMs !== undefined && { ownTryMs }) }).catch((error) => {
      lock.forget();
      throw error;
    });
    if (committed === 'committed') lock.committed(payment, change.payment, key);
    else lock.forget();
    return committed === 'committed';
  };
  if (!intent) return (await commit()) ? answered(answer as Answer) : AGAIN;

  await checkpoint('decided', payment.id);
  const acquirer = await acquirers.find(intent.acquirer);
  const leave = await acquirer.enter();
  const { ownTryMs } = acquirers.timeouts;
  try {
    if (!(await commit(ownTryMs))) {
      leave();
      return AGAIN;
    }
  } catch (error) {
    leave();
    throw error;
  }
  await checkpoint('intent committed', payment.id);
  const answerOf = (found: Decision, now: Payment): Answer => operation.answer(found, result, now);
  return async () => {
    try {
      const execution = { payment: change.payment, movement: intent };
      const settled = await executeAtAcquirer(payments, acquirer, execution, until);
      const final = record
        ? await recordIfPending(payments, record, settled, answerOf)
        : answerOf(decisionOf(settled, false), settled.payment);
      await checkpoint('before answer', payment.id);
      return answered(final);
    } finally {
      leave();
    }
  };
}

/** The answer to a request whose outcome was not known when it was kept; undefined as long as it is not. */
function answerLate<Result>(
  operation: Operation<Result>,
  payment: Payment,
  record: IdempotencyRecord,
): Answer | undefined {
  const movement = payment.movements.find(({ id }) => id === record.movementId);
  if (movement === undefined || movement.state === 'pending') return undefined;
  // Only movements are kept so, and their result is their id.
  return operation.answer(decisionOf({ payment, movement }, true), movement.id as Result, payment);
}

/**
 * A success that is answered while the outcome is open is kept first: it is given again, whatever comes of the movement
 * later. Whoever brings the key before that is told to wait, so one key has one answer; and when it cannot be kept, the
 * answer promises nothing.
 */
async function recordIfPending(
  { store, acquirers }: Payments,
  record: NewIdempotencyRecord,
  settled: Execution,
  answerOf: (decision: Decision, payment: Payment) => Answer,
): Promise<Answer> {
  const giveUpAt = performance.now() + LONGEST_TRY_MS;
  let execution = settled;
  try {
    while (performance.now() < giveUpAt) {
      const answer = answerOf(decisionOf(execution, true), execution.payment);
      if (execution.movement.state !== 'pending' || answer.status >= 300) return answer;
      const { payment, isSynchronous } = await store.load({ merchantId: null, target: record.paymentId });
      const movement = payment?.movements.find(({ id }) => id === record.movementId);
      if (payment === undefined || movement === undefined) throw new Error(`movement ${record.movementId} is gone`);
      execution = { payment, movement };
      if (movement.state !== 'pending') {
        if (isSynchronous) await store.confirm();
        continue;
      }
      const answeredRecord = { ...record, status: answer.status, answer: answer.body };
      if ((await store.commit({ change: altered(payment), before: payment, record: answeredRecord })) !== 'committed')
        continue;
      await checkpoint('answer recorded', payment.id);
      return answer;
    }
    throw new Overloaded('it lost to others for too long');
  } catch (error) {
    const { payment, movement } = execution;
    const why = `its answer could not be kept, ${(error as Error).message}`;
    acquirers.onUnknown({ acquirer: movement.acquirer, paymentId: payment.id, movementId: movement.id, why });
    return answerOf(unknownOutcomeOf(execution, true), execution.payment);
  }
}

export type Creation = {
  readonly merchant: Merchant;
  readonly idempotency: IdempotencyKey | undefined;
  readonly decide: (id: string, at: number) => Change;
  readonly answer: (change: Change) => Answer;
};

// One that was in the way can be forgotten once in eight days.
const MOST_TRIES_TO_CREATE = 3;

/** A create has nothing to load: its gate is the insert of its record and of its payment. */
export async function operateCreate(payments: Payments, creation: Creation): Promise<Operated> {
  const { store } = payments;
  const { merchant, idempotency } = creation;
  const at = Date.now();
  const part = idempotency ? partOfKey(merchant, idempotency.key) : anyPartOf(merchant);
  const change = creation.decide(newId(at, part), at);
  const answer = creation.answer(change);
  const record: NewIdempotencyRecord | undefined = idempotency && {
    ...idempotency,
    operation: 'create',
    target: NO_ID,
    paymentId: change.payment.id,
    status: answer.status,
    answer: answer.body,
  };
  for (let tries = 0; tries < MOST_TRIES_TO_CREATE; tries += 1) {
    const committed = await store.commit({ change, ...(record && { record }) });
    if (committed === 'committed') return answered(answer);
    if (!idempotency) throw new Error(`the id ${change.payment.id} was taken`);
    const { key } = idempotency;
    const request = { merchantId: merchant.id, target: NO_ID, part, operation: 'create', key } as const;
    const { record: first, isSynchronous } = await store.load(request);
    if (first !== undefined) return confirmed(payments, replay(first, idempotency), isSynchronous);
    // It was forgotten in between, since its time was over.
  }
  throw new Error('a record that was in the way is gone, again and again');
}
