// Amounts as people read them: exact, with their decimals, as their language writes numbers. The currency is named by its
// code, since three of them are called kr.
import { exponentOf, showNumber } from '../../domain/currency.ts';
import { localeOf } from '../../pages/language.ts';
import type { Language } from '../../pages/language.ts';

// Making a format takes longer than using it a thousand times.
const kept = new Map<string, Intl.NumberFormat>();

function formatFor(decimals: number, language: Language): Intl.NumberFormat {
  const key = `${language} ${decimals}`;
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  const made = kept.get(key) ?? new Intl.NumberFormat(localeOf(language), digits);
  kept.set(key, made);
  return made;
}

/** The number alone. */
export const showFigure = (amount: number, currency: string, language: Language): string =>
  formatFor(exponentOf(currency), language).format(showNumber(amount, currency) as `${number}`);

export const showMoney = (amount: number, currency: string, language: Language): string =>
  `${showFigure(amount, currency, language)} ${currency}`;

/** As a field takes it: without marks between thousands. */
export const showPlain = (amount: number, currency: string, language: Language): string =>
  new Intl.NumberFormat(localeOf(language), {
    minimumFractionDigits: exponentOf(currency),
    useGrouping: false,
  }).format(showNumber(amount, currency) as `${number}`);

/** With at most six decimals, as quantities are taken. */
export const showQuantity = (quantity: number, language: Language): string =>
  new Intl.NumberFormat(localeOf(language), { maximumFractionDigits: 6 }).format(quantity);

const percents = { style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 } as const;

/** 0.925 is "92.5%". */
export const showPercent = (share: number, language: Language): string =>
  new Intl.NumberFormat(localeOf(language), percents).format(share);
