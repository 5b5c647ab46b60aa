// Amounts as people read them: exact, with their decimals, and with a thin space between thousands.
import { showAmount } from '../../domain/currency.ts';

const THIN_SPACE = '\u202f';

export const showMoney = (amount: number, currency: string): string =>
  showAmount(amount, currency).replace(/\d+/, (whole) => whole.replaceAll(/\B(?=(?:\d{3})+$)/g, THIN_SPACE));
