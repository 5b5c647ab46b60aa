// Creates a payment: there is nothing to load, and only an earlier use of its key can conflict.
import type { Change } from '../domain/decision.ts';
import { NO_ID } from '../domain/id.ts';
import type { Merchant } from '../domain/merchant.ts';
import { nowOf } from './clock.ts';
import { perform } from './engine.ts';
import { replay } from './idempotency.ts';
import type { FoundByKey, IdempotencyKey } from './idempotency.ts';
import { anyPartOf, newId, partOfKey } from './ids.ts';
import type { Made, Pending, RecordAnswer } from './outcome.ts';
import type { Payments } from './service.ts';

export type Creation = {
  readonly merchant: Merchant;
  readonly idempotency: IdempotencyKey | undefined;
  readonly decide: (id: string, at: number) => Change;
  readonly recordAnswer: RecordAnswer<undefined>;
  /** The merchant's key of the request. */
  readonly keyId?: string;
};

export function operateCreate(
  payments: Payments,
  { merchant, idempotency, decide, recordAnswer, keyId }: Creation,
): Promise<Made<undefined> | Pending | FoundByKey> {
  const operation = 'create';
  const keyed = { operation, idempotency, recordAnswer } as const;
  const part = idempotency ? partOfKey(merchant, idempotency.key) : anyPartOf(merchant);
  let lost: string | undefined;
  return perform<undefined, Made<undefined>, FoundByKey>(payments, {
    target: NO_ID,
    keyed,
    load: async () => {
      const decided = { step: 'decide', subject: undefined } as const;
      if (lost === undefined) return decided;
      if (!idempotency) throw new Error(`the id ${lost} was taken`);
      const { key } = idempotency;
      const asked = { merchantId: merchant.id, target: NO_ID, part, operation, key } as const;
      const { record, timeline } = await payments.store.load(asked);
      // It may have expired and been deleted meanwhile.
      return record ? { step: 'confirm', outcome: replay(record, keyed), timeline } : decided;
    },
    decide: () => {
      const at = nowOf(merchant);
      const change = decide(newId(at, part), at);
      lost = change.payment.id;
      const outcome = { kind: 'made', change, result: undefined } as const;
      return { step: 'record', proposal: { gate: 'create', change, made: { at, keyId }, outcome } };
    },
  });
}
