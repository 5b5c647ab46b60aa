// Amounts as people read them: exact, with their decimals, as their language writes numbers. The currency is named by its
// code, since three of them are called kr.
import { exponentOf, showNumber } from '../../domain/currency.ts';
import type { Language } from '../../pages/language.ts';
import { numberFormat } from '../../pages/number-format.ts';

/** The number alone. */
export function showFigure(amount: number, currency: string, language: Language): string {
  const decimals = exponentOf(currency);
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  return numberFormat(language, digits).format(showNumber(amount, currency) as `${number}`);
}

export const showMoney = (amount: number, currency: string, language: Language): string =>
  `${showFigure(amount, currency, language)} ${currency}`;

/** For the steps of a scale, which are round: 1.5M SEK. */
export const showRound = (amount: number, currency: string, language: Language): string =>
  `${numberFormat(language, { notation: 'compact', maximumFractionDigits: 3 }).format(
    showNumber(amount, currency) as `${number}`,
  )} ${currency}`;

/** As a field takes it: without marks between thousands. */
export const showPlain = (amount: number, currency: string, language: Language): string =>
  numberFormat(language, { minimumFractionDigits: exponentOf(currency), useGrouping: false }).format(
    showNumber(amount, currency) as `${number}`,
  );

/** With at most six decimals, as quantities are taken. */
export const showQuantity = (quantity: number, language: Language): string =>
  numberFormat(language, { maximumFractionDigits: 6 }).format(quantity);

const percents = { style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 } as const;

/** 0.925 is "92.5%". */
export const showPercent = (share: number, language: Language): string =>
  numberFormat(language, percents).format(share);
