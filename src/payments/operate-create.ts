// A create, the one change that has nothing to load: its gate is the insert of its idempotency record and of its payment.
import type { Change } from '../domain/decision.ts';
import { NO_ID } from '../domain/id.ts';
import type { Merchant } from '../domain/merchant.ts';
import type { NewIdempotencyRecord } from '../store/payments/commit-request.ts';
import { nowOf } from './clock.ts';
import { confirmed, replay } from './idempotency.ts';
import type { FoundByKey, IdempotencyKey } from './idempotency.ts';
import { anyPartOf, newId, partOfKey } from './ids.ts';
import type { Made, RecordAnswer } from './outcome.ts';
import type { Payments } from './service.ts';

export type Creation = {
  readonly merchant: Merchant;
  readonly idempotency: IdempotencyKey | undefined;
  readonly decide: (id: string, at: number) => Change;
  readonly recordAnswer: RecordAnswer<undefined>;
  /** The key of the merchant that asks. */
  readonly keyId?: string;
};

// One that was in the way can be forgotten once in eight days.
const MOST_TRIES = 3;

export async function operateCreate(
  payments: Payments,
  { merchant, idempotency, decide, recordAnswer, keyId }: Creation,
): Promise<Made<undefined> | FoundByKey> {
  const { store } = payments;
  const at = nowOf(merchant);
  const part = idempotency ? partOfKey(merchant, idempotency.key) : anyPartOf(merchant);
  const change = decide(newId(at, part), at);
  const made: Made<undefined> = { kind: 'made', change, result: undefined };
  const recorded = recordAnswer(made);
  const record: NewIdempotencyRecord | undefined = idempotency && {
    ...idempotency,
    operation: 'create',
    target: NO_ID,
    paymentId: change.payment.id,
    recorded,
  };
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const committed = await store.commit({
      change,
      made: { at, ...(keyId !== undefined && { keyId }) },
      ...(record && { record }),
    });
    if (committed === 'committed') return { ...made, recorded };
    if (!idempotency) throw new Error(`the id ${change.payment.id} was taken`);
    const { key } = idempotency;
    const request = { merchantId: merchant.id, target: NO_ID, part, operation: 'create', key } as const;
    const { record: first, timeline } = await store.load(request);
    if (first !== undefined) return confirmed(payments, replay(first, idempotency), timeline);
    // It was forgotten in between, since its time was over.
  }
  throw new Error('a record that was in the way is gone, again and again');
}
