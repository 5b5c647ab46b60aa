// The reference: what a payment is and what every command does to it, in as few lines as can be, written from the
// specification and the decisions alone. The model test holds the service against it.

/** How a test card behaves; it is approved in everything else. */
export type Card = 'approves' | 'declines reservation' | 'declines charge' | 'declines refund' | 'declines cancel';

type Charge = { readonly id?: string; readonly amount: number; readonly refunded: number };
type Refund = { readonly id?: string; readonly amount: number; readonly state: 'Completed' | 'Failed' };

export type Model = {
  readonly order: number;
  readonly chargeAtOnce: boolean;
  readonly reserved: number;
  readonly cancelled: number;
  readonly charges: readonly Charge[];
  readonly refunds: readonly Refund[];
  readonly card: Card;
  readonly isTerminated: boolean;
  readonly reference: string;
  readonly myReference?: string;
};

export type Command =
  | { readonly name: 'reserve'; readonly card: Card }
  | { readonly name: 'charge' | 'cancel' | 'refund payment' | 'cart'; readonly amount: number }
  | { readonly name: 'refund'; readonly charge: number; readonly amount: number }
  | { readonly name: 'reference' | 'my reference'; readonly text: string }
  | { readonly name: 'terminate' };

/** The answer, and the payment afterwards; the id is that which the answer gave to what was made. */
export type Step = { readonly status: number; readonly code?: string; readonly next: (id?: string) => Model };

const HIGHEST = 1_000_000_000_000;

const sum = (amounts: readonly { readonly amount: number }[]): number =>
  amounts.reduce((all, { amount }) => all + amount, 0);

export const leftOf = ({ reserved, cancelled, charges }: Model): number => reserved - cancelled - sum(charges);
export const chargedOf = ({ charges }: Model): number => sum(charges);
export const refundedOf = ({ refunds }: Model): number => sum(refunds.filter(({ state }) => state === 'Completed'));

export const created = (order: number, chargeAtOnce: boolean, reference: string): Model => ({
  order,
  chargeAtOnce,
  reserved: 0,
  cancelled: 0,
  charges: [],
  refunds: [],
  card: 'approves',
  isTerminated: false,
  reference,
});

export function step(model: Model, command: Command): Step {
  const refuse = (status: number, code?: string): Step => ({ status, ...(code && { code }), next: () => model });
  const change = (status: number, next: (id?: string) => Partial<Model>): Step => ({
    status,
    next: (id) => ({ ...model, ...next(id) }),
  });
  const { reserved, isTerminated, card } = model;
  if ('amount' in command && (command.amount < 1 || command.amount > HIGHEST)) return refuse(400);

  switch (command.name) {
    case 'reserve': {
      if (isTerminated) return refuse(405, '1000');
      if (reserved > 0) return refuse(405, '1004');
      if (command.card === 'declines reservation') return refuse(402, '1022');
      const isCharged = model.chargeAtOnce && command.card !== 'declines charge';
      const charges = isCharged ? [{ amount: model.order, refunded: 0 }] : [];
      return change(201, () => ({ reserved: model.order, card: command.card, charges }));
    }
    case 'cart':
      if (isTerminated) return refuse(405, '1000');
      if (reserved > 0) return refuse(405, '1004');
      return change(204, () => ({ order: command.amount }));
    case 'terminate':
      if (reserved > 0) return refuse(405, '1004');
      return change(204, () => ({ isTerminated: true }));
    case 'reference':
    case 'my reference':
      if (isTerminated) return refuse(405, '1000');
      if (reserved > 0 && model.cancelled === reserved) return refuse(405, '1019');
      return change(204, () => ({ [command.name === 'reference' ? 'reference' : 'myReference']: command.text }));
    case 'charge': {
      if (reserved === 0) return refuse(402, '1003');
      if (command.amount > leftOf(model)) return refuse(402, '1001');
      if (card === 'declines charge') return refuse(402, '1020');
      return change(201, (id) => ({
        charges: [...model.charges, { ...(id && { id }), amount: command.amount, refunded: 0 }],
      }));
    }
    case 'cancel': {
      if (reserved === 0) return refuse(405, '1003');
      if (leftOf(model) === 0) return refuse(405, model.cancelled === reserved ? '1019' : '1008');
      if (command.amount > leftOf(model)) return refuse(400);
      if (card === 'declines cancel') return refuse(405, '1000');
      return change(204, () => ({ cancelled: model.cancelled + command.amount }));
    }
    case 'refund':
    case 'refund payment': {
      const { amount } = command;
      const fits = ({ amount: whole, refunded }: Charge): boolean => amount <= whole - refunded;
      const index = command.name === 'refund' ? command.charge : model.charges.findIndex(fits);
      const charge = model.charges[index];
      if (charge === undefined) return refuse(command.name === 'refund' ? 404 : 400);
      if (!fits(charge)) return refuse(400);
      if (card === 'declines refund')
        return change(400, () => ({ refunds: [...model.refunds, { amount, state: 'Failed' }] }));
      return change(201, (id) => ({
        charges: model.charges.with(index, { ...charge, refunded: charge.refunded + amount }),
        refunds: [...model.refunds, { ...(id && { id }), amount, state: 'Completed' }],
      }));
    }
  }
}
