// Who did something with a payment, in words.
import type { Movement } from '../../domain/movement.ts';
import { reservationOf } from '../../domain/payment.ts';
import type { Payment } from '../../domain/payment.ts';
import { agreementOf } from '../../domain/subscription.ts';
import type { Language } from '../../pages/language.ts';
import type { SecretKey } from '../../store/merchants/keys.ts';
import type { PaymentChange } from '../../store/payments/payment-changes.ts';
import type { Person } from '../../store/people/people.ts';
import { consoleTexts, fill } from '../texts.ts';

/** Who did what with a payment, in words; undefined where it is not known. */
export type Doers = {
  readonly ofMovement: (movement: Movement) => string | undefined;
  /** Who asked for a refund to be cancelled. */
  readonly ofCancel: (refund: Movement) => string | undefined;
  readonly ofChange: (change: Pick<PaymentChange, 'keyId' | 'personId'>) => string;
  readonly ofKey: (keyId: string | undefined) => string | undefined;
};

/** Names of keys and of people are those of now: a movement and a change keep their ids. */
export function doersOf(
  payment: Payment,
  { people, keys }: { readonly people: readonly Pick<Person, 'id' | 'email'>[]; readonly keys: readonly SecretKey[] },
  language: Language,
): Doers {
  const [texts, { by, whoLeft }] = [consoleTexts(language).history, consoleTexts(language).payment];
  const nameOfKey = (keyId: string): string => {
    const key = keys.find(({ id }) => id === keyId);
    if (key === undefined) return texts.byGoneKey;
    return fill(texts.byKey, { name: key.name === undefined ? `…${key.hint}` : `${key.name} (…${key.hint})` });
  };
  const nameOfPerson = (personId: string): string =>
    fill(by, { who: people.find(({ id }) => id === personId)?.email ?? whoLeft });
  const byNobody = ({ kind }: Movement): string | undefined => {
    // A charge of a subscription is made without its consumer, and follows from a reservation that a key asked for.
    if (agreementOf(payment)?.role === 'renewal') {
      const keyId = reservationOf(payment)?.details?.askedByKey;
      return keyId === undefined || kind !== 'charge' ? undefined : nameOfKey(keyId);
    }
    if (kind === 'reservation') return texts.byConsumer;
    return kind === 'charge' && payment.checkout.charge === true ? texts.byItself : undefined;
  };
  return {
    ofKey: (keyId) => (keyId === undefined ? undefined : nameOfKey(keyId)),
    ofChange: ({ keyId, personId }) => {
      if (personId !== undefined) return nameOfPerson(personId);
      return keyId === undefined ? texts.byConsumer : nameOfKey(keyId);
    },
    ofCancel: ({ details: { cancelledBy: personId, cancelledByKey: keyId } = {} }) => {
      if (personId !== undefined) return nameOfPerson(personId);
      return keyId === undefined ? undefined : nameOfKey(keyId);
    },
    ofMovement: (movement) => {
      const { askedBy: personId, askedByKey: keyId, isResolved } = movement.details ?? {};
      const doer =
        personId !== undefined ? nameOfPerson(personId) : keyId !== undefined ? nameOfKey(keyId) : byNobody(movement);
      return [doer, isResolved && texts.resolved].filter(Boolean).join(', ') || undefined;
    },
  };
}
