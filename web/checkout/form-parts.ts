// Which parts of the form are asked for: person or company, another billing address, card or invoice, and what depends
// on the country. A part that is not asked for is hidden and disabled, so that it is neither sent nor checked.
import { callingCodeOf } from '../shared/calling-code.ts';
import { hasNationalNumber, nationalNumberExample } from '../shared/national-number.ts';
import { postalCodeExample } from '../shared/postal-code.ts';
import { billingCountry, countryOf, findField, isTicked, listFields, payForm, valueOf, type Field } from './fields.ts';
import { nationalNumberLabel } from './page-data.ts';

const PREFIX = 'consumer.phoneNumber.prefix';
const NATIONAL_NUMBER = 'paymentType.invoice.nationalNumber';
const SHIPPING = 'consumer.shippingAddress';

// The prefix that the page put in itself; one that the consumer chose is not changed with the country.
let ownPrefix = '';

function show(selector: string, isAskedFor: boolean): void {
  for (const part of payForm()?.querySelectorAll<HTMLElement>(selector) ?? []) part.hidden = !isAskedFor;
}

function example(name: string, text: string | undefined): void {
  const field = findField(name);
  if (field instanceof HTMLInputElement) field.placeholder = text ?? '';
}

function showCountry(): void {
  const country = billingCountry();
  // A page that does not ask for the address was made for the country that the shop gave.
  if (!country) return;
  show('[data-part="national-number"]', hasNationalNumber(country) && valueOf('consumerType') !== 'B2B');
  const label = nationalNumberLabel(country);
  const caption = findField(NATIONAL_NUMBER)?.labels?.[0];
  if (label && caption) caption.textContent = label;
  example(NATIONAL_NUMBER, nationalNumberExample(country));
  for (const address of [SHIPPING, 'consumer.billingAddress']) {
    example(`${address}.postalCode`, postalCodeExample(countryOf(address)));
  }
}

/** A calling code typed as 46 or 0046. */
export function tidyPrefix(field: Field): void {
  if (field.name === PREFIX) field.value = field.value.trim().replace(/^(?:00|\+)?\s*(?=\d)/, '+');
}

/** The calling code follows the country, as long as it is the page's own. */
export function followCountry(): void {
  const prefix = findField(PREFIX);
  const code = callingCodeOf(countryOf(SHIPPING));
  if (!prefix || !code || (prefix.value !== '' && prefix.value !== ownPrefix)) return;
  prefix.value = code;
  if (prefix.value === code) ownPrefix = code;
}

export function showParts(): void {
  const kind = valueOf('consumerType');
  if (kind !== undefined) {
    show('[data-part="person"]', kind !== 'B2B');
    show('[data-part="company"]', kind === 'B2B');
  }
  const separate = findField('separateBilling');
  if (separate) show('[data-part="billing"]', isTicked(separate));
  const method = valueOf('type');
  for (const panel of payForm()?.querySelectorAll<HTMLElement>('[data-panel]') ?? []) {
    panel.hidden = panel.dataset['panel'] !== method;
  }
  showCountry();
  for (const field of listFields())
    field.disabled = field.closest('[data-part][hidden], [data-panel][hidden]') !== null;
}

/** For a page that was just drawn: what it came with is its own. */
export function startParts(): void {
  ownPrefix = callingCodeOf(countryOf(SHIPPING)) ?? '';
  followCountry();
  showParts();
}
