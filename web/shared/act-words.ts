// What a charge, refund or cancel is going to do, said before it is done, in the language of the page.
import { fillIn } from './fill-in.ts';

export type ActKind = 'charge' | 'cancel' | 'refund';

export type Act = {
  readonly kind: ActKind;
  /** What the payment is called. */
  readonly of: string;
  /** What can be moved; of a refund, what is left of its charge. */
  readonly left: number;
};

export type Sentences = Readonly<Record<'sentence' | 'restSome' | 'restNone', Readonly<Record<ActKind, string>>>>;

/** Amounts and references stay in one line. */
const keepTogether = (text: string): string => text.replaceAll(' ', '\u00a0').replaceAll('-', '\u2011');

export function describeAct(
  { kind, of, left }: Act,
  amount: number,
  texts: Sentences,
  show: (amount: number) => string,
): string {
  const values = { amount: keepTogether(show(amount)), payment: keepTogether(of) };
  const rest = left - amount;
  const after = rest > 0 ? fillIn(texts.restSome[kind], { rest: keepTogether(show(rest)) }) : texts.restNone[kind];
  return `${fillIn(texts.sentence[kind], values)} ${after}`;
}
