// What a form of a charge, refund or cancel asks for: all that is left, an amount, or items with quantities. The server
// reads what was sent by it, and the script what is being typed.
import { parseAmount } from './amount.ts';
import { fillIn } from './fill-in.ts';
import { parseQuantity, showQuantity, takeOf } from './item-share.ts';
import type { LineLeft, Share } from './item-share.ts';

type Named = Share & { readonly name: string };

/** A line with the name of the field that takes its quantity. */
export type ActLine<Item extends Named = Named> = LineLeft<Item> & { readonly field: string };

export type Choosable<Item extends Named = Named> = {
  readonly currency: string;
  readonly decimals: number;
  /** What can be moved; of a refund, what is left of its charge. */
  readonly left: number;
  readonly lines: readonly ActLine<Item>[];
};

export type Choice<Item> = { readonly amount: number; readonly items: readonly Item[] };

/** `line`: the field of the one that it is about. */
export type Mistake = { readonly message: string; readonly field: 'amount' | 'items'; readonly line?: string };

export type ChoiceTexts = Readonly<
  Record<'amount' | 'tooMuch' | 'quantity' | 'tooMany' | 'noItem' | 'nothing' | 'sum', string>
>;

type Speech = { readonly texts: ChoiceTexts; readonly locale: string; readonly show: (amount: number) => string };
type Fields = Readonly<Record<string, string>>;

export function choose<Item extends Named>(
  fields: Fields,
  choosable: Choosable<Item>,
  speech: Speech,
): Choice<Item> | Mistake {
  if (fields['mode'] === 'whole') return { amount: choosable.left, items: [] };
  return fields['mode'] === 'items' ? chooseItems(fields, choosable, speech) : chooseAmount(fields, choosable, speech);
}

function chooseAmount(
  fields: Fields,
  { left, decimals, currency }: Choosable,
  { texts, show }: Speech,
): Choice<never> | Mistake {
  const amount = parseAmount(fields['amount'] ?? '', decimals);
  if (amount === undefined || amount === 0) return { message: fillIn(texts.amount, { currency }), field: 'amount' };
  if (amount > left) return { message: fillIn(texts.tooMuch, { amount: show(left) }), field: 'amount' };
  return { amount, items: [] };
}

function chooseItems<Item extends Named>(
  fields: Fields,
  { left, lines }: Choosable<Item>,
  { texts, locale, show }: Speech,
): Choice<Item> | Mistake {
  const items: Item[] = [];
  for (const line of lines) {
    const { name } = line.item;
    const quantity = parseQuantity(fields[line.field] ?? '');
    const mistake = (message: string): Mistake => ({ message, field: 'items', line: line.field });
    if (quantity === undefined) return mistake(fillIn(texts.quantity, { item: name }));
    if (quantity > line.left.quantity)
      return mistake(fillIn(texts.tooMany, { item: name, quantity: showQuantity(line.left.quantity, locale) }));
    if (quantity > 0) items.push(takeOf(line, quantity));
  }
  const amount = items.reduce((sum, { grossTotalAmount }) => sum + grossTotalAmount, 0);
  if (items.length === 0) return { message: texts.noItem, field: 'items' };
  if (amount < 1) return { message: texts.nothing, field: 'items' };
  if (amount > left) return { message: fillIn(texts.sum, { amount: show(amount), left: show(left) }), field: 'items' };
  return { amount, items };
}
