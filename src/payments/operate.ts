// The one path of every change: load → decide → commit. A conflict is decided again on what is there now; a request
// that brings an idempotency key finds its first answer, or leaves its own with the change it made. A movement at an
// acquirer on another machine is committed as an intent first, and finished after that.
import { altered, committedOf } from '../domain/decision.ts';
import type { Change, Decision } from '../domain/decision.ts';
import type { Merchant } from '../domain/merchant.ts';
import type { Movement } from '../domain/movement.ts';
import type { Payment } from '../domain/payment.ts';
import { checkpoint } from '../ops/checkpoints.ts';
import type { WaitingAct } from '../store/audit/audit-waits.ts';
import type { CommitRequest, NewIdempotencyRecord } from '../store/payments/commit-request.ts';
import { Overloaded } from '../store/connections/group.ts';
import type { KeyedOperation, Loaded, LoadRequest } from '../store/payments/load.ts';
import { DatabaseAway, OutcomeUnknown } from '../store/connections/pool.ts';
import { isLocal } from './acquirers.ts';
import { nowOf } from './clock.ts';
import { askedByKey } from './attribution.ts';
import { finishIntent, recordLate } from './finish-intent.ts';
import type { Intent } from './finish-intent.ts';
import { confirmed, keyNameOf, replay } from './idempotency.ts';
import type { IdempotencyKey } from './idempotency.ts';
import { outcomeOfDecision } from './outcome.ts';
import type { DecidedOutcome, OperationOutcome, RecordAnswer } from './outcome.ts';
import { isLockedFor, LONGEST_TRY_MS, lockFree, lockPayment } from './payment-lock.ts';
import type { PaymentLock } from './payment-lock.ts';
import type { Payments } from './service.ts';

/**
 * A decision and what whoever asked needs of it. Without a decision everything stays as it is; undefined says that the
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
  readonly keyed?: {
    readonly operation: KeyedOperation;
    readonly idempotency: IdempotencyKey | undefined;
    readonly recordAnswer: RecordAnswer<Result>;
  };
  /** The key of the merchant that asks: what it moves and changes says so. */
  readonly keyId?: string;
  readonly decide: Decide<Result>;
  /** What it does cannot be undone: that it is refused says that no try before was let in, either. */
  readonly isRefusalFinal?: boolean;
  /** What the audit is to tell of it, of a person's act: it is committed with what was done. */
  readonly tell?: (decided: DecidedOutcome<Result>) => WaitingAct;
};

/** What one try gives. */
type Attempt<Result> =
  /** The payment was lost to another request, or has to be read. */
  | { readonly kind: 'again' }
  /** Nothing is left to be done. */
  | { readonly kind: 'over'; readonly outcome: OperationOutcome<Result> }
  /** It follows from what was read, so it has to be confirmed. */
  | {
      readonly kind: 'found';
      readonly outcome: OperationOutcome<Result>;
      readonly timeline: Loaded['timeline'];
    }
  /** A movement is committed as an intent, and its acquirer has to be asked. */
  | { readonly kind: 'intended'; readonly intent: Intent<Result> };

const AGAIN = { kind: 'again' } as const;

/** What an operation holds while it tries. */
type Hold = {
  readonly giveUpAt: number;
  /** On the payment. */
  lock?: PaymentLock | undefined;
  /** At which its key had no answer yet. */
  version?: number;
  /** An earlier try may have been committed: nobody may be told that nothing was done. */
  isUnclear?: boolean;
};

// Who has the payment lock loses to other processes alone; this often is a defect, not a race.
const MOST_TRIES = 1_000;

export async function operate<Result>(
  payments: Payments,
  operation: Operation<Result>,
): Promise<OperationOutcome<Result>> {
  const { merchant, target, isMovement = false, keyed } = operation;
  const hold: Hold = { giveUpAt: performance.now() + LONGEST_TRY_MS };
  // Others may change the payment while a standby is waited for, or an acquirer.
  const release = (): void => {
    hold.lock?.release();
    hold.lock = undefined;
  };
  try {
    // Who brings a key has to look for its answer first.
    const isPaymentKnown = !isMovement && keyed?.idempotency === undefined;
    if (isPaymentKnown && isLockedFor(target, merchant.id))
      hold.lock = await lockPayment(target, hold.giveUpAt, merchant.id);
    const attempt = await attemptUntilOver(payments, operation, hold);
    if (attempt.kind === 'over') return attempt.outcome;
    if (hold.isUnclear && !operation.isRefusalFinal && attempt.kind === 'found' && attempt.outcome.kind === 'refused')
      throw new OutcomeUnknown('an earlier try may have been let in, and would be refused by now');
    release();
    return attempt.kind === 'found'
      ? await confirmed(payments, attempt.outcome, attempt.timeline)
      : await finishIntent(payments, attempt.intent);
  } catch (error) {
    throw hold.isUnclear && isTakenForNotDone(error)
      ? new OutcomeUnknown('what an earlier try came to is not known', { cause: error })
      : error;
  } finally {
    release();
  }
}

const isTakenForNotDone = (error: unknown): boolean =>
  error instanceof Overloaded || (error instanceof DatabaseAway && !(error instanceof OutcomeUnknown));

async function attemptUntilOver<Result>(
  payments: Payments,
  operation: Operation<Result>,
  hold: Hold,
): Promise<Exclude<Attempt<Result>, typeof AGAIN>> {
  for (let tries = 0; tries < MOST_TRIES && performance.now() < hold.giveUpAt; tries += 1) {
    const attempt = await attemptOnce(payments, operation, hold);
    if (attempt.kind !== 'again') return attempt;
  }
  throw new Overloaded(`a change of ${operation.target} lost to others for too long`);
}

/** The movement that a change made and left to an acquirer on another machine. */
const intentOf = ({ moved }: Change, before: Payment): Movement | undefined =>
  moved.find(
    ({ state, sequence, acquirer }) => state === 'pending' && sequence > before.movements.length && !isLocal(acquirer),
  );

/** How the key names the request, where there is one. */
function keyNameIn<Result>({ target, keyed }: Operation<Result>): string | undefined {
  return keyed?.idempotency && keyNameOf(keyed.operation, target, keyed.idempotency);
}

/** The payment as the one before at its lock has left it, or else as it is read, with the idempotency record of the key. */
async function read<Result>(
  { store }: Payments,
  operation: Operation<Result>,
  { lock, version }: Hold,
): Promise<Loaded & { readonly isPassedOn: boolean }> {
  const { merchant, target, isMovement = false, keyed, onLarge } = operation;
  const payment = lock?.passedTo({ merchantId: merchant.id, key: keyNameIn(operation), version });
  if (payment !== undefined) return { payment, isPassedOn: true };
  const loaded = await store.load({
    merchantId: merchant.id,
    target,
    isMovement,
    onLarge,
    ...(keyed?.idempotency && { operation: keyed.operation, key: keyed.idempotency.key }),
  });
  return { ...loaded, isPassedOn: false };
}

async function attemptOnce<Result>(
  payments: Payments,
  operation: Operation<Result>,
  hold: Hold,
): Promise<Attempt<Result>> {
  const { keyed } = operation;
  const idempotency = keyed?.idempotency;
  const { payment, record: first, isPassedOn, timeline } = await read(payments, operation, hold);
  const found = (outcome: OperationOutcome<Result>): Attempt<Result> => ({ kind: 'found', outcome, timeline });
  if (payment === undefined) return found({ kind: 'not_found' });
  if (first && keyed && idempotency)
    return found(replay(first, idempotency, () => recordLate(payment, first, keyed.recordAnswer)));
  hold.version = payment.version;
  hold.lock ??= lockFree(payment.id, payment.merchantId);
  if (hold.lock === undefined) {
    // Whoever has it will have moved it on.
    hold.lock = await lockPayment(payment.id, hold.giveUpAt, payment.merchantId);
    return AGAIN;
  }

  const at = nowOf(operation.merchant);
  const until = performance.now() + payments.acquirers.timeouts.answerMs;
  const decided = operation.decide(payment, at);
  // What changes nothing has no gate, so it is decided on what was read: another process may have moved it on.
  if (isPassedOn && decided?.decision?.change === undefined && (idempotency === undefined || !decided?.decision)) {
    hold.lock.forget();
    return AGAIN;
  }
  if (decided === undefined) return found({ kind: 'not_found' });
  const { result } = decided;
  if (decided.decision === undefined) return found({ kind: 'unchanged', payment, result });
  const decision = askedByKey(decided.decision, payment, operation.keyId);
  const made = { at, ...(operation.keyId !== undefined && { keyId: operation.keyId }) };
  const intent = decision.change && intentOf(decision.change, payment);
  if (intent)
    return attemptIntent(payments, operation, hold, {
      payment,
      change: decision.change,
      intent,
      result,
      until,
      made,
    });
  const outcome = outcomeOfDecision(decision, result, payment);
  if (!decision.change && !idempotency) return found(outcome);
  // Before the commit, with a key or without: where no answer can be made, nothing is done.
  const recorded = keyed?.recordAnswer(outcome);
  const record = recordOf(operation, payment, recorded && { recorded });
  // A refusal with a key is a new version and nothing else: that gates its record, so that one key has one answer.
  const change = decision.change ?? altered(payment);
  const isCommitted = await commit(payments, operation, hold, {
    change,
    before: payment,
    made,
    ...(record && { record }),
    ...(decision.change && operation.tell && { act: operation.tell(outcome) }),
  });
  return isCommitted ? { kind: 'over', outcome: recorded ? { ...outcome, recorded } : outcome } : AGAIN;
}

/** What is recorded of a request with a key: its answer, or the movement whose outcome will be it. */
function recordOf<Result>(
  { target, keyed }: Operation<Result>,
  payment: Payment,
  answer: Pick<NewIdempotencyRecord, 'recorded' | 'movementId'> | undefined,
): NewIdempotencyRecord | undefined {
  if (keyed?.idempotency === undefined) return undefined;
  return { ...keyed.idempotency, operation: keyed.operation, target, paymentId: payment.id, ...answer };
}

/** Whether the change was let in; if it was, whoever is next at the lock is handed the payment. */
async function commit<Result>(
  { store }: Payments,
  operation: Operation<Result>,
  hold: Hold,
  request: CommitRequest & { readonly before: Payment },
): Promise<boolean> {
  const { lock } = hold;
  const committed = await store.commit(request).catch((error) => {
    lock?.forget();
    throw error;
  });
  if (committed === 'unclear') hold.isUnclear = true;
  if (committed === 'committed') lock?.committed(request.before, request.change.payment, keyNameIn(operation));
  else lock?.forget();
  return committed === 'committed';
}

type Intended<Result> = {
  readonly payment: Payment;
  readonly change: Change;
  readonly intent: Movement;
  readonly result: Result;
  readonly until: number;
  readonly made: NonNullable<CommitRequest['made']>;
};

/** Commits the intent of a movement, once its acquirer has let it in. */
async function attemptIntent<Result>(
  payments: Payments,
  operation: Operation<Result>,
  hold: Hold,
  { payment, change, intent, result, until, made }: Intended<Result>,
): Promise<Attempt<Result>> {
  const { acquirers } = payments;
  const record = recordOf(operation, payment, { movementId: intent.id });
  await checkpoint('decided', payment.id);
  const acquirer = await acquirers.find(intent.acquirer);
  const leave = await acquirer.enter();
  const { ownTryMs } = acquirers.timeouts;
  const hasKey = record !== undefined;
  const act = operation.tell?.({ kind: 'pending', movement: intent, payment: change.payment, hasKey });
  const request = { change, before: payment, made, ...(record && { record }), ...(act && { act }), ownTryMs };
  try {
    if (!(await commit(payments, operation, hold, request))) {
      leave();
      return AGAIN;
    }
  } catch (error) {
    leave();
    throw error;
  }
  await checkpoint('intent committed', payment.id);
  const execution = { payment: committedOf(change, payment), movement: intent };
  const { keyed } = operation;
  const recording = record && keyed && { keyed: { record, recordAnswer: keyed.recordAnswer } };
  return { kind: 'intended', intent: { execution, acquirer, leave, until, result, ...recording } };
}
