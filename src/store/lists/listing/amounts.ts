// Amounts as people copy and type them: with the marks of any language between thousands, with a currency before or after
// it, or without one. "1,435" is one thousand in English and one and a half elsewhere, so that both are looked for.
import { currenciesWith, exponentOf, readCurrency, readNumber } from '../../../domain/currency.ts';

export type AmountMeaning = {
  readonly kind: 'amount';
  readonly amount: number;
  readonly currencies: readonly string[];
};

// A code, or what people write for it; three currencies are called kr.
const NAME = String.raw`[a-z]{3}|kr\.?|€|£|\$|zł`;
const AMOUNT = new RegExp(String.raw`^(?:(${NAME})\s*)?(\d[\d\s.,'’]*?)(?:\s*(${NAME}))?$`, 'iu');
const SIGNS: Readonly<Record<string, readonly string[]>> = {
  kr: ['SEK', 'NOK', 'DKK', 'ISK'],
  '€': ['EUR'],
  '£': ['GBP'],
  $: ['USD', 'CAD', 'AUD'],
  zł: ['PLN'],
};
const PLAIN = /^\d+(?:[.,]\d{1,4})?$/;
const GROUPED = /^\d{1,3}(?:([\s'’.,])\d{3})(?:\1\d{3})*(?:[.,]\d{1,4})?$/;
const DECIMALS = [2, 0, 3, 4];

/** What the digits may say, with a dot before their decimals: first what is most likely. */
function numbersIn(text: string): readonly string[] {
  const [, mark] = GROUPED.exec(text) ?? [];
  // A mark between thousands is never that before the decimals as well.
  const parts = mark === undefined ? [] : text.split(mark);
  const isGrouped = mark !== undefined && parts.every((part, place) => place === 0 || /^\d{3}(?:\D\d+)?$/.test(part));
  const grouped = isGrouped ? [parts.join('').replace(',', '.')] : [];
  return [...grouped, ...(PLAIN.test(text) ? [text.replace(',', '.')] : [])];
}

function currenciesOf(name: string): readonly string[] {
  const code = readCurrency(name);
  return code === undefined ? (SIGNS[name.toLowerCase().replace('.', '')] ?? []) : [code];
}

export function amountsIn(text: string): AmountMeaning[] {
  const [, before, digits = '', after] = AMOUNT.exec(text) ?? [];
  const name = before ?? after;
  if (digits === '' || (before !== undefined && after !== undefined)) return [];
  const named = name === undefined ? undefined : currenciesOf(name);
  return numbersIn(digits).flatMap((number) =>
    DECIMALS.flatMap((decimals): AmountMeaning[] => {
      const amount = readNumber(number, decimals);
      const currencies = named?.filter((code) => exponentOf(code) === decimals) ?? currenciesWith(decimals);
      return amount === undefined || amount === 0 || currencies.length === 0
        ? []
        : [{ kind: 'amount', amount, currencies }];
    }),
  );
}
