// Amounts as people type and read them, in whole numbers of the currency's smallest unit: never through fractions.

// As large as any amount that is taken.
const MOST_DIGITS = 13;

/** "12,50" and "12.50" of a currency with two decimals are 1250; undefined when it is no amount of it. */
export function parseAmount(text: string, decimals: number): number | undefined {
  const typed = /^(\d+)(?:[.,](\d*))?$/.exec(text.replaceAll(/\s/g, ''));
  const [, whole = '', rest = ''] = typed ?? [];
  if (!typed || rest.length > decimals || whole.length + decimals > MOST_DIGITS) return undefined;
  return Number(whole + rest.padEnd(decimals, '0'));
}

/** 1250 SEK is "12.50 SEK" in English and "12,50 SEK" in German. */
export function showMoneyIn(locale: string, amount: number, decimals: number, currency: string): string {
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  const exact = showMinor(amount, decimals) as `${number}`;
  return `${new Intl.NumberFormat(locale, digits).format(exact)} ${currency}`;
}

/** 1250 with two decimals is "12.50". */
export function showMinor(amount: number, decimals: number): string {
  if (decimals === 0) return String(amount);
  const digits = String(Math.abs(amount)).padStart(decimals + 1, '0');
  return `${amount < 0 ? '-' : ''}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}
