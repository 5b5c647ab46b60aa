// How event definitions are written: a sentence, a schema, and a function whose result the schema describes. Also the
// fields that the events of every payment and of every movement end with.
import * as Type from '../schema/type.ts';
import type { EventName } from '../domain/decision.ts';
import type { Movement } from '../domain/movement.ts';
import type { Payment } from '../domain/payment.ts';
import type { StoredEvent } from '../store/events/events.ts';
import { AmountSchema, amountOf, Id, reconciliationReferenceOf } from './body-parts.ts';

export type Definition = {
  readonly name: EventName;
  /** When it is sent. */
  readonly summary: string;
  readonly schema: Type.TObject;
  readonly data: (
    payment: Payment | undefined,
    movement: Movement | undefined,
    event: StoredEvent,
    publicUrl: string | undefined,
  ) => object;
};

export type Making = Omit<Definition, 'name'>;

export function ofPayment<Fields extends Type.TProperties>(
  summary: string,
  fields: Fields,
  data: (payment: Payment) => Type.Static<Type.TObject<Fields>>,
): Making {
  return {
    summary,
    schema: Type.Object(fields),
    data: (payment, _movement, event) => {
      if (payment === undefined) throw new Error(`event ${event.id} is of no payment`);
      return data(payment);
    },
  };
}

export function ofMovement<Fields extends Type.TProperties>(
  summary: string,
  fields: Fields,
  data: (payment: Payment, movement: Movement, publicUrl: string | undefined) => Type.Static<Type.TObject<Fields>>,
): Making {
  return {
    summary,
    schema: Type.Object(fields),
    data: (payment, movement, event, publicUrl) => {
      if (payment === undefined || movement === undefined) throw new Error(`event ${event.id} is of no movement`);
      return data(payment, movement, publicUrl);
    },
  };
}

export const PaymentFields = {
  paymentId: Id('The payment.'),
  myReference: Type.Optional(
    Type.String({ description: "Your second reference, when you gave one: the movement's, or else the payment's." }),
  ),
};

export const paymentOf = ({ id, myReference }: Payment): Type.Static<Type.TObject<typeof PaymentFields>> => ({
  paymentId: id,
  ...(myReference !== undefined && { myReference }),
});

/** The last fields of each movement event: the amount and the payment. */
export const MoneyFields = {
  amount: AmountSchema,
  surchargeAmount: Type.Integer({ description: 'Always 0: Kassa adds no surcharges.' }),
  ...PaymentFields,
};

export const moneyOf = (
  payment: Payment,
  { amount, details }: Movement,
): Type.Static<Type.TObject<typeof MoneyFields>> => ({
  amount: amountOf(payment, amount),
  surchargeAmount: 0,
  ...paymentOf(payment),
  ...(details?.myReference !== undefined && { myReference: details.myReference }),
});

export const ReconciliationFields = {
  reconciliationReference: Type.String({
    pattern: '^[0-9A-Z]{25}$',
    description: 'Names the movement where books are compared: 25 letters and digits.',
  }),
};

export const reconciliationOf = ({ id }: Movement): Type.Static<Type.TObject<typeof ReconciliationFields>> => ({
  reconciliationReference: reconciliationReferenceOf(id),
});
