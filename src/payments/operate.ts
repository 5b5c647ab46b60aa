// The one path of every change: load → decide → commit. A conflict is decided again on what is there now; a request
// that brings an idempotency key finds its first answer, or leaves its own with the change it made.
import { altered } from '../domain/decision.ts';
import type { Change, Decision } from '../domain/decision.ts';
import { NO_ID } from '../domain/id.ts';
import type { Merchant } from '../domain/merchant.ts';
import type { Payment } from '../domain/payment.ts';
import type { AnswerToKeep } from '../store/commit.ts';
import type { KeptAnswer, KeyedOperation } from '../store/load.ts';
import type { Store } from '../store/store.ts';
import { anyPart, newId, partOfKey } from './ids.ts';
import { takeTurn } from './turns.ts';

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
  readonly keyed?: { readonly operation: KeyedOperation; readonly idempotency: IdempotencyKey | undefined };
  readonly decide: Decide<Result>;
  readonly answer: (decision: Decision | undefined, result: Result, payment: Payment) => Answer;
};

// A payment that is changed by so many at once that one loses this often is a defect, not a race.
const MOST_TRIES = 1_000;

function replay(kept: KeptAnswer, idempotency: IdempotencyKey): Operated {
  if (kept.request !== idempotency.request) return { kind: 'other_request_had_key' };
  if (kept.status === undefined) return { kind: 'first_request_still_runs' };
  return { kind: 'answered', answer: { status: kept.status, body: kept.answer }, replayed: true };
}

const answered = (answer: Answer): Operated => ({ kind: 'answered', answer, replayed: false });

export async function operate<Result>(store: Store, operation: Operation<Result>): Promise<Operated> {
  let endTurn: (() => void) | undefined;
  try {
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const attempt = await attemptOnce(store, operation);
      if (typeof attempt !== 'string') return attempt;
      endTurn ??= await takeTurn(attempt);
    }
  } finally {
    endTurn?.();
  }
  throw new Error(`a change of ${operation.target} lost ${MOST_TRIES} times`);
}

/** Gives what came of it, or the id of the payment that was lost to another request. */
async function attemptOnce<Result>(store: Store, operation: Operation<Result>): Promise<Operated | string> {
  const { merchant, target, isMovement = false, keyed } = operation;
  const idempotency = keyed?.idempotency;
  const { payment, kept } = await store.load({
    merchantId: merchant.id,
    target,
    isMovement,
    ...(idempotency && keyed && { operation: keyed.operation, key: idempotency.key }),
  });
  if (payment === undefined) return { kind: 'not_found' };
  if (kept && idempotency) return replay(kept, idempotency);

  const at = Date.now();
  const decided = operation.decide(payment, at);
  if (decided === undefined) return { kind: 'not_found' };
  const { decision, result } = decided;
  const answer = operation.answer(decision, result, payment);
  if (decision === undefined || (!decision.change && !idempotency)) return answered(answer);
  const keep: AnswerToKeep | undefined = idempotency &&
    keyed && {
      ...idempotency,
      operation: keyed.operation,
      target,
      paymentId: payment.id,
      status: answer.status,
      answer: answer.body,
      at,
    };
  // A refusal with a key is a new version and nothing else: that gates its record, so that one key has one answer.
  const change = decision.change ?? altered(payment);
  const committed = await store.commit({ change, before: payment, ...(keep && { keep }) });
  return committed === 'committed' ? answered(answer) : payment.id;
}

export type Creation = {
  readonly merchant: Merchant;
  readonly idempotency: IdempotencyKey | undefined;
  readonly decide: (id: string, at: number) => Change;
  readonly answer: (change: Change) => Answer;
};

/** A create has nothing to load: its gate is the insert of its record and of its payment. */
export async function operateCreate(store: Store, creation: Creation): Promise<Operated> {
  const { merchant, idempotency } = creation;
  const at = Date.now();
  const part = idempotency ? partOfKey(merchant.id, idempotency.key) : anyPart();
  const change = creation.decide(newId(at, part), at);
  const answer = creation.answer(change);
  const keep: AnswerToKeep | undefined = idempotency && {
    ...idempotency,
    operation: 'create',
    target: NO_ID,
    paymentId: change.payment.id,
    status: answer.status,
    answer: answer.body,
    at,
  };
  const committed = await store.commit({ change, ...(keep && { keep }) });
  if (committed === 'committed') return answered(answer);
  if (!idempotency) throw new Error(`the id ${change.payment.id} was taken`);
  const request = { merchantId: merchant.id, target: NO_ID, part, operation: 'create', key: idempotency.key } as const;
  const { kept } = await store.load(request);
  if (kept === undefined) throw new Error('a record that was in the way is gone');
  return replay(kept, idempotency);
}
