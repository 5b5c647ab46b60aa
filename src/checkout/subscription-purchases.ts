// What a subscription began with, as its consumer's page shows it: the purchase in the checkout, and whatever else was
// bought with a card that replaced the first one. Each payment that brought a card names the one before it, so they are
// found from the card of now backwards.
import { timeOf } from '../domain/id.ts';
import type { Payment } from '../domain/payment.ts';
import { agreementOf, dayOf } from '../domain/subscription.ts';
import type { Subscription } from '../domain/subscription.ts';
import type { PastCharge } from '../store/payments/renewals.ts';
import type { CheckoutContext } from './context.ts';
import { plainOrigin } from './origin.ts';

/** Bought in the checkout: charged since, or still reserved. */
export type Purchase = Omit<PastCharge, 'state'> & { readonly state: 'paid' | 'reserved' };

// One is read after the other while somebody waits, and nobody has had more cards than that in five years.
const MOST_CARDS = 8;
// An order may have a thousand lines; a row of the page has room for these.
const MOST_NAMES = 3;
const LONGEST_NAME = 80;

/** The payments that brought its cards, the newest first. */
async function findCardPayments({ payments }: CheckoutContext, subscription: Subscription): Promise<Payment[]> {
  const found: Payment[] = [];
  let target: string | undefined = subscription.paymentId;
  while (target !== undefined && found.length < MOST_CARDS) {
    const { payment } = await payments.store.load({ merchantId: subscription.merchantId, target });
    if (payment === undefined) break;
    found.push(payment);
    target = agreementOf(payment)?.replaces;
  }
  return found;
}

function purchaseOf(payment: Payment): Purchase[] {
  const { id, order, totals } = payment;
  const amount = totals.reserved - totals.cancelled;
  // An order of 0 has registered a card, and what was given back whole was never paid.
  if (amount === 0) return [];
  const day = dayOf(agreementOf(payment)?.agreedAt ?? timeOf(id));
  const state = totals.charged > 0 ? 'paid' : 'reserved';
  return [{ paymentId: id, day, amount, currency: order.currency, refunded: totals.refunded, state }];
}

const shorten = (name: string): string => (name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name);

/** The names of what was ordered, as many as there is room for. */
function productOf({ order: { items } }: Payment): string | undefined {
  const names = [...new Set(items.map(({ name }) => name.trim()).filter((name) => name !== ''))];
  const shown = names.slice(0, MOST_NAMES).map(shorten).join(', ');
  if (shown === '') return undefined;
  return names.length > MOST_NAMES ? `${shown} …` : shown;
}

/** The shop's own site. Of a shop that stands beside Kassa, as the demo shop does, the folder of its checkout. */
function shopUrlOf({ publicUrl }: CheckoutContext, { checkoutUrl, checkout }: Payment): string | undefined {
  const url = checkoutUrl ?? checkout.returnUrl;
  const origin = plainOrigin(url);
  return origin === new URL(publicUrl()).origin ? new URL('.', url).href : origin;
}

export type Bought = {
  readonly purchases: readonly Purchase[];
  readonly shown: { readonly product?: string; readonly orderReference?: string; readonly shopUrl?: string };
};

export async function findPurchases(context: CheckoutContext, subscription: Subscription): Promise<Bought> {
  const cards = await findCardPayments(context, subscription);
  const first = cards.find((payment) => agreementOf(payment)?.role === 'new') ?? cards.at(-1);
  const product = first && productOf(first);
  const shopUrl = cards.map((payment) => shopUrlOf(context, payment)).find((url) => url !== undefined);
  return {
    purchases: cards.flatMap(purchaseOf),
    shown: {
      ...(product !== undefined && { product }),
      ...(first?.order.reference !== undefined && { orderReference: first.order.reference }),
      ...(shopUrl !== undefined && { shopUrl }),
    },
  };
}

/** All of them by day, the newest first; of one day, what was charged later stands above what was bought. */
export function mergeCharges(
  { charges, more }: { readonly charges: readonly PastCharge[]; readonly more: boolean },
  purchases: readonly Purchase[],
  most: number,
): { readonly charges: readonly (PastCharge | Purchase)[]; readonly hasOlder: boolean } {
  const all = [...charges, ...purchases].toSorted((one, other) => other.day.localeCompare(one.day));
  return { charges: all.slice(0, most), hasOlder: more || all.length > most };
}
