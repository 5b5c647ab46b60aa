// What a charge, refund or cancel is going to do, said before it is done: the same words with a script and without, in the
// language of the page.
import { fillIn } from './fill-in.ts';

export type ActKind = 'charge' | 'cancel' | 'refund';

export type Act = {
  readonly kind: ActKind;
  /** What the payment is called. */
  readonly of: string;
  readonly currency: string;
  readonly decimals: number;
  /** What can be moved; of a refund, what is left of its charge. */
  readonly left: number;
};

type ByKind = Readonly<Record<ActKind, string>>;
type Sentences = { readonly sentence: ByKind; readonly restSome: ByKind; readonly restNone: ByKind };

/** What the form of an act says, as the page hands it to the script. */
export type ActTexts = Sentences & {
  readonly verbs: ByKind;
  readonly withAmount: ByKind;
  readonly whole: ByKind;
  readonly wrong: Readonly<
    Record<'amount' | 'tooMuch' | 'quantity' | 'tooMany' | 'noItem' | 'nothing' | 'sum', string>
  >;
} & Readonly<
    Record<
      | 'howMuch'
      | 'anAmount'
      | 'amountIn'
      | 'items'
      | 'all'
      | 'allOf'
      | 'leftOfItem'
      | 'askAgain'
      | 'look'
      | 'back'
      | 'moment'
      | 'lost'
      | 'notDone',
      string
    >
  >;

type Show = (amount: number) => string;

/** Amounts and references stay in one line. */
const keepTogether = (text: string): string => text.replaceAll(' ', '\u00a0').replaceAll('-', '\u2011');

/** What is left after it. */
export function describeRest({ kind, left }: Pick<Act, 'kind' | 'left'>, amount: number, texts: Sentences, show: Show) {
  const rest = left - amount;
  return rest > 0 ? fillIn(texts.restSome[kind], { rest: keepTogether(show(rest)) }) : texts.restNone[kind];
}

export function describeAct(
  act: Pick<Act, 'kind' | 'of' | 'left'>,
  amount: number,
  texts: Sentences,
  show: Show,
): string {
  const values = { amount: keepTogether(show(amount)), payment: keepTogether(act.of) };
  return `${fillIn(texts.sentence[act.kind], values)} ${describeRest(act, amount, texts, show)}`;
}
