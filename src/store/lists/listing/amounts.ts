// Amounts as people copy and type them: with any language's thousands separators, with a currency before or after, or
// without one. "1,435" is one thousand in English and one and a half elsewhere, so both are searched.
import { currenciesWith, exponentOf, readCurrency, readNumber } from '../../../domain/currency.ts';

export type AmountMeaning = {
  readonly kind: 'amount';
  readonly amount: number;
  readonly currencies: readonly string[];
};

// A currency code, or its usual symbol; three currencies use kr.
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

/** The possible readings, with a decimal point, the most likely first. */
function numbersIn(text: string): readonly string[] {
  const [, mark] = GROUPED.exec(text) ?? [];
  // The thousands separator differs from the decimal mark.
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
