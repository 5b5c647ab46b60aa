// The check digit of the numbers that the Nordic banks use: of invoices, references, accounts.

/** The Luhn check digit of a string of digits, as the Nordic banks use it (modulus 10). */
export function checkDigitOf(digits: string): string {
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits[digits.length - 1 - index]);
    const weighted = index % 2 === 0 ? digit * 2 : digit;
    sum += weighted > 9 ? weighted - 9 : weighted;
  }
  return String((10 - (sum % 10)) % 10);
}
