// Changes a payment, as most operations do. Requests of this process lock the payment from the decision to the commit,
// and pass it on as it was committed.
import type { Decision } from '../domain/decision.ts';
import { altered, committedOf } from '../domain/decision.ts';
import type { Merchant } from '../domain/merchant.ts';
import type { Movement } from '../domain/movement.ts';
import type { Payment } from '../domain/payment.ts';
import type { OutboxEntry } from '../store/audit/audit-outbox.ts';
import type { Timeline } from '../store/connections/timeline.ts';
import type { LoadRequest } from '../store/payments/load.ts';
import { askedByKey } from './attribution.ts';
import { nowOf } from './clock.ts';
import { intendedIn, LOAD, perform } from './engine.ts';
import type { State } from './engine.ts';
import { executeAtAcquirer } from './execute-at-acquirer.ts';
import { keyNameOf, replay } from './idempotency.ts';
import type { FoundByKey, Keyed } from './idempotency.ts';
import { outcomeOfDecision, outcomeOfMovement } from './outcome.ts';
import type { DecidedOutcome, Execution, OperationOutcome } from './outcome.ts';
import { isLockedFor, lockFree, lockPayment } from './payment-lock.ts';
import type { Payments } from './service.ts';

/**
 * A decision, and what the caller needs of it. Without a decision nothing changes, except a movement in progress that
 * must be asked about again; undefined if the payment does not have what was requested.
 */
export type Decide<Result> = (
  payment: Payment,
  at: number,
) =>
  | { readonly decision: Decision | undefined; readonly result: Result; readonly underWay?: Movement | undefined }
  | undefined;

export type Operation<Result> = {
  readonly merchant: Merchant;
  readonly target: string;
  readonly isMovement?: boolean;
  readonly onLarge?: LoadRequest['onLarge'];
  readonly keyed?: Keyed<DecidedOutcome<Result>>;
  /** The merchant's key of the request, recorded in its movements and changes. */
  readonly keyId?: string;
  readonly decide: Decide<Result>;
  /** The result of a movement at a remote acquirer, if it is not the movement's own state. */
  readonly outcomeOf?: (execution: Execution) => DecidedOutcome<Result>;
  /** It cannot be undone, so a refusal also shows that no earlier try was committed. */
  readonly isRefusalFinal?: boolean;
  /** The audit record of a person's action, committed with the change. */
  readonly audit?: (outcome: DecidedOutcome<Result>) => OutboxEntry;
};

/** The payment to decide on: as it was read, or as the previous request at the lock left it. */
type Subject = { readonly payment: Payment; readonly from: 'store' | 'lock'; readonly timeline?: Timeline | undefined };
type Found = FoundByKey | { readonly kind: 'not_found' };

export function operate<Result>(payments: Payments, operation: Operation<Result>): Promise<OperationOutcome<Result>> {
  const { merchant, target, isMovement = false, onLarge, keyed, keyId, audit, isRefusalFinal } = operation;
  const idempotency = keyed?.idempotency;
  const hasKey = idempotency !== undefined;
  // A request with a key must look up its record first.
  const isPaymentKnown = !isMovement && !hasKey;
  const asked: LoadRequest = {
    merchantId: merchant.id,
    target,
    isMovement,
    onLarge,
    ...(idempotency && keyed && { operation: keyed.operation, key: idempotency.key }),
  };
  const outcomeOf = (execution: Execution, result: Result): DecidedOutcome<Result> =>
    operation.outcomeOf?.(execution) ?? outcomeOfMovement(execution, result, hasKey);
  /** The version at which the key had no record. */
  let version: number | undefined;

  return perform<Subject, DecidedOutcome<Result>, Found>(payments, {
    target,
    keyed,
    isRefusalFinal,
    load: async (run) => {
      if (isPaymentKnown && run.lock === undefined && isLockedFor(target, merchant.id))
        run.lock = await lockPayment(target, run.giveUpAt, merchant.id);
      const passed = run.lock?.passedTo({ merchantId: merchant.id, key: keyed && keyNameOf(keyed, target), version });
      if (passed) return { step: 'decide', subject: { payment: passed, from: 'lock' } };
      const { payment, record, timeline } = await payments.store.load(asked);
      if (payment === undefined) return { step: 'confirm', outcome: { kind: 'not_found' }, timeline };
      // Only movements are recorded without an answer, and their result is their id.
      const late = (execution: Execution) => outcomeOf(execution, execution.movement.id as Result);
      if (record && keyed) return { step: 'confirm', outcome: replay(record, keyed, payment, late), timeline };
      version = payment.version;
      run.lock ??= lockFree(payment.id, payment.merchantId);
      if (run.lock) return { step: 'decide', subject: { payment, from: 'store', timeline } };
      // The process that has it will have changed it.
      run.lock = await lockPayment(payment.id, run.giveUpAt, payment.merchantId);
      return LOAD;
    },

    decide: ({ payment, from, timeline }, run): State<Subject, DecidedOutcome<Result>, Found> => {
      const at = nowOf(merchant);
      const decided = operation.decide(payment, at);
      const isWritten = decided?.decision?.change !== undefined || (hasKey && decided?.decision !== undefined);
      // Without a write there is no gate, so the decision uses what was read: another process may have changed it.
      if (!isWritten && from === 'lock') {
        run.lock?.forget();
        return LOAD;
      }
      if (decided === undefined) return { step: 'confirm', outcome: { kind: 'not_found' }, timeline };
      const { result, underWay } = decided;
      const intentOf = (now: Payment, movement: Movement) => ({
        execution: { payment: now, movement },
        execute: executeAtAcquirer,
        outcomeOf: (execution: Execution) => outcomeOf(execution, result),
      });
      if (decided.decision === undefined)
        return underWay
          ? { step: 'execute', timeline, ...intentOf(payment, underWay) }
          : { step: 'confirm', timeline, outcome: { kind: 'unchanged', payment, result } };
      const decision = askedByKey(decided.decision, payment, keyId);
      // A refusal with a key is only a new version: that is the gate of its record, so that a key has one answer.
      const { change = altered(payment) } = decision;
      const intended = intendedIn(change, payment.movements.length);
      const intent = intended && intentOf(committedOf(change, payment), intended);
      const outcome = intent ? intent.outcomeOf(intent.execution) : outcomeOfDecision(decision, result, payment);
      if (!isWritten) return { step: 'confirm', outcome, timeline };
      return {
        step: 'record',
        proposal: {
          gate: 'payment',
          before: payment,
          change,
          made: { at, keyId },
          act: decision.change && audit?.(outcome),
          outcome,
          intent,
        },
      };
    },
  });
}
