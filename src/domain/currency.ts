// The supported currencies: active ISO 4217 codes with a minor unit. The exponent is only for display; every amount in the
// program is a whole number of minor units.

const TWO_DECIMALS = `
  AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CNY COP
  COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR
  JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN
  NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL
  THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XAD XCD XCG YER ZAR ZMW ZWG`;
const NO_DECIMALS = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF';
const THREE_DECIMALS = 'BHD IQD JOD KWD LYD OMR TND';
const FOUR_DECIMALS = 'CLF UYW';

const words = (text: string): string[] => text.trim().split(/\s+/);

const exponents: ReadonlyMap<string, number> = new Map([
  ...words(NO_DECIMALS).map((code) => [code, 0] as const),
  ...words(TWO_DECIMALS).map((code) => [code, 2] as const),
  ...words(THREE_DECIMALS).map((code) => [code, 3] as const),
  ...words(FOUR_DECIMALS).map((code) => [code, 4] as const),
]);

export const currencies: readonly string[] = [...exponents.keys()].toSorted();

/** The code in upper case, or undefined if it is not an active currency. */
export function readCurrency(text: string): string | undefined {
  // Some letters beyond ASCII become ASCII ones in upper case.
  if (!/^[a-z]{3}$/i.test(text)) return undefined;
  const code = text.toUpperCase();
  return exponents.has(code) ? code : undefined;
}

/** How many decimals an amount of this currency is shown with. */
export const exponentOf = (currency: string): number => exponents.get(currency) ?? 0;

/** The currencies with this number of decimals. */
export const currenciesWith = (decimals: number): readonly string[] =>
  currencies.filter((code) => exponentOf(code) === decimals);

/** The number alone, exact and with all of its decimals: 12345 SEK is "123.45", 500 JPY is "500". */
export function showNumber(amount: number, currency: string): string {
  const exponent = exponentOf(currency);
  if (exponent === 0) return String(amount);
  const digits = String(Math.abs(amount)).padStart(exponent + 1, '0');
  const sign = amount < 0 ? '-' : '';
  return `${sign}${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`;
}

/** An amount for people: 12345 SEK is "123.45 SEK", 500 JPY is "500 JPY". */
export const showAmount = (amount: number, currency: string): string => `${showNumber(amount, currency)} ${currency}`;

const NUMBER = /^(\d{1,13})(?:[.,](\d{1,4}))?$/;

/** Parses an amount typed by a person into minor units; undefined if it is invalid. */
export function readNumber(text: string, decimals: number): number | undefined {
  const [, whole, part = ''] = NUMBER.exec(text) ?? [];
  if (whole === undefined || /[^0]/.test(part.slice(decimals))) return undefined;
  const amount = Number(whole + part.slice(0, decimals).padEnd(decimals, '0'));
  return Number.isSafeInteger(amount) ? amount : undefined;
}
