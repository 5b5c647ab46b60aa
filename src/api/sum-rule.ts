// The sum rule: an amount must equal the sum of its items' gross totals, exactly. The message names both, since an error
// of one minor unit is the most common mistake.
import type { OrderItem } from '../domain/item.ts';
import { sumOfItems } from '../domain/item.ts';
import { refuseIfManyRates } from '../domain/size.ts';
import { describeRates } from './dialects/refusal.ts';
import { formats } from '../server/formats.ts';
import { badField, BadRequest } from '../server/problem.ts';

export function requireSum(field: string, amount: number, items: readonly OrderItem[]): void {
  const sum = sumOfItems(items);
  if (sum === amount) return;
  const text = `is ${amount}, but the grossTotalAmount of the items sums up to ${sum}`;
  throw new BadRequest([{ field, text, kind: 'sum_differs' }]);
}

/** For an order; a movement is checked together with all others of its payment. */
export function requireFewRates(field: string, items: readonly OrderItem[]): void {
  const refusal = refuseIfManyRates(items)?.refusal;
  if (refusal?.name === 'too_many_tax_rates') throw badField(field, describeRates(refusal));
}

type ItemBody = { [Field in keyof OrderItem]: OrderItem[Field] | undefined };

/** Only the nine fields of an item. */
export const readItems = (items: readonly Partial<ItemBody>[] | undefined): OrderItem[] =>
  (items ?? []).map((item) => readItem(item));

/** The same with pictures, for an order. */
export const readPicturedItems = (items: readonly Partial<ItemBody>[]): OrderItem[] =>
  items.map((item) => {
    const { imageUrl } = item;
    return imageUrl !== undefined && formats['web-url'](imageUrl) ? { ...readItem(item), imageUrl } : readItem(item);
  });

export function readItem(item: Partial<ItemBody>): OrderItem {
  return {
    reference: item.reference as string,
    name: item.name as string,
    quantity: item.quantity as number,
    unit: item.unit as string,
    unitPrice: item.unitPrice as number,
    taxRate: item.taxRate ?? 0,
    taxAmount: item.taxAmount ?? 0,
    grossTotalAmount: item.grossTotalAmount as number,
    netTotalAmount: item.netTotalAmount as number,
  };
}
