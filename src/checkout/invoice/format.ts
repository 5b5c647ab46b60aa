// How an invoice spells figures and dates: as the checkout does, in its language and currency.
import type { Language } from '../../pages/language.ts';
import { formatAmount, formatDate, formatFigure, formatQuantity, formatTaxRate } from '../formats.ts';

export type Format = {
  /** With the currency: for sums. */
  readonly money: (minorUnits: number) => string;
  /** Without the currency: for the columns of a table. */
  readonly figure: (minorUnits: number) => string;
  readonly quantity: (quantity: number) => string;
  /** A rate in hundredths of a percent. */
  readonly rate: (taxRate: number) => string;
  readonly day: (ms: number) => string;
};

export const formatOf = (language: Language, currency: string): Format => ({
  money: (minorUnits) => formatAmount(minorUnits, currency, language, 'always'),
  figure: (minorUnits) => formatFigure(minorUnits, currency, language),
  quantity: (quantity) => formatQuantity(quantity, language),
  rate: (taxRate) => formatTaxRate(taxRate, language),
  day: (ms) => formatDate(ms, language),
});
