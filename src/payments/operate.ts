// A change of a payment, as most operations are. Of this process one at a time has the payment, from its decision to its
// commit, and hands it to the next as it was committed.
import type { Decision } from '../domain/decision.ts';
import { altered, committedOf } from '../domain/decision.ts';
import type { Merchant } from '../domain/merchant.ts';
import type { Movement } from '../domain/movement.ts';
import type { Payment } from '../domain/payment.ts';
import type { WaitingAct } from '../store/audit/audit-waits.ts';
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
 * A decision and what whoever asked needs of it. Without a decision everything stays as it is, but for a movement that is
 * under way and has to be asked about again; undefined says that the payment has no such thing as was asked for.
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
  /** The key of the merchant that asks: what it moves and changes says so. */
  readonly keyId?: string;
  readonly decide: Decide<Result>;
  /** What a movement comes to at an acquirer on another machine, where it is not its own state that says so. */
  readonly outcomeOf?: (execution: Execution) => DecidedOutcome<Result>;
  /** What it does cannot be undone: that it is refused says that no try before was let in, either. */
  readonly isRefusalFinal?: boolean;
  /** The audit record of a person's action: it is committed with what was done. */
  readonly audit?: (outcome: DecidedOutcome<Result>) => WaitingAct;
};

/** What is decided on: as it was read, or as the one before at the lock has left it. */
type Subject = { readonly payment: Payment; readonly from: 'store' | 'lock'; readonly timeline?: Timeline | undefined };
type Found = FoundByKey | { readonly kind: 'not_found' };

export function operate<Result>(payments: Payments, operation: Operation<Result>): Promise<OperationOutcome<Result>> {
  const { merchant, target, isMovement = false, onLarge, keyed, keyId, audit, isRefusalFinal } = operation;
  const idempotency = keyed?.idempotency;
  const hasKey = idempotency !== undefined;
  // Who brings a key has to look for its answer first.
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
  /** At which the key had no answer yet. */
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
      // Whoever has it will have moved it on.
      run.lock = await lockPayment(payment.id, run.giveUpAt, payment.merchantId);
      return LOAD;
    },

    decide: ({ payment, from, timeline }, run): State<Subject, DecidedOutcome<Result>, Found> => {
      const at = nowOf(merchant);
      const decided = operation.decide(payment, at);
      const isWritten = decided?.decision?.change !== undefined || (hasKey && decided?.decision !== undefined);
      // What is not written has no gate, so it is decided on what was read: another process may have moved it on.
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
      // A refusal with a key is a new version and nothing else: that gates its record, so that one key has one answer.
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
