// Validates the consumer data typed into the checkout: everything that a parcel and an invoice need. Names and phone
// numbers may contain any character; postal codes must be valid in their country.
import { billedCountryOf } from '../domain/consumer.ts';
import type { Address, Company, Consumer } from '../domain/consumer.ts';
import type { Checkout } from '../domain/payment.ts';
import type { Problem } from '../server/problem.ts';
import { holdsCardNumber } from './card-text.ts';
import { isOrganisationNumber } from '../../web/shared/national-number.ts';
import { isEmail, isName, isPhoneNumber, isPhonePrefix, tidyPhoneNumber } from '../../web/shared/contact.ts';
import { hasPostalCodes, postalCodeExample, tidyPostalCode } from '../../web/shared/postal-code.ts';

type Check = readonly [field: string, value: string | undefined, isGood: (text: string) => boolean, text: string];

const isThere = (): boolean => true;

function judge([field, value, isGood, text]: Check): Problem[] {
  if (value === undefined || value.trim() === '') return [{ field: `consumer.${field}`, text: 'is required' }];
  return isGood(value) ? [] : [{ field: `consumer.${field}`, text }];
}

function judgePostalCode(at: string, { country = '', postalCode = '' }: Address): Problem[] {
  if (postalCode === '' && !hasPostalCodes(country)) return [];
  const example = postalCodeExample(country);
  const text = `must be a post code of ${country}${example === undefined ? '' : `, such as ${example}`}`;
  return judge([`${at}.postalCode`, postalCode, (code) => tidyPostalCode(country, code) !== undefined, text]);
}

function judgeAddress(at: string, address: Address = {}): Problem[] {
  return [
    ...judge([`${at}.addressLine1`, address.addressLine1, isThere, '']),
    ...judgePostalCode(at, address),
    ...judge([`${at}.city`, address.city, isThere, '']),
    ...judge([`${at}.country`, address.country, isThere, '']),
  ];
}

function judgeName(at: string, names: { firstName?: string; lastName?: string } = {}): Problem[] {
  const text = 'must be a name of at most 128 characters';
  return [
    ...judge([`${at}.firstName`, names.firstName, isName, text]),
    ...judge([`${at}.lastName`, names.lastName, isName, text]),
  ];
}

function judgeKind({ company }: Consumer, { consumerType }: Checkout): Problem[] {
  const kinds = consumerType?.supportedTypes?.length ? consumerType.supportedTypes : [consumerType?.default ?? 'B2C'];
  const kind = company === undefined ? 'B2C' : 'B2B';
  if (kinds.includes(kind)) return [];
  const [field, text] =
    kind === 'B2B' ? ['company', 'must be left out: the shop sells to private persons'] : ['company', 'is required'];
  return [{ field: `consumer.${field}`, text }];
}

/** Refuses card numbers in text fields. */
function judgeCardNumbers(path: string, value: unknown): Problem[] {
  if (typeof value === 'string')
    return holdsCardNumber(value) ? [{ field: path, text: 'must not hold a card number' }] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, field]) => judgeCardNumbers(`${path}.${name}`, field));
}

function judgeCountry(at: string, address: Address | undefined, allowed: readonly string[] | undefined): Problem[] {
  const country = address?.country;
  if (country === undefined || !allowed?.length || allowed.includes(country)) return [];
  return [{ field: `consumer.${at}.country`, text: `must be one of ${allowed.join(', ')}` }];
}

function judgeCompany(company: Company, country: string): Problem[] {
  const { name, organisationNumber } = company;
  const text = `must be an organisation number of ${country}`;
  const isGood = (number: string): boolean => isOrganisationNumber(country, number);
  return [
    ...judge(['company.name', name, isThere, '']),
    ...judgeName('company.contact', company),
    ...(organisationNumber ? judge(['company.organisationNumber', organisationNumber, isGood, text]) : []),
  ];
}

export function judgeConsumer(consumer: Consumer, checkout: Checkout): Problem[] {
  const { company, person, phone, shippingAddress, billingAddress } = consumer;
  const { shippingCountries } = checkout;
  const isNumber = (number: string): boolean => isPhoneNumber(number, phone?.prefix);
  const country = billedCountryOf(consumer) ?? '';
  return [
    ...judge(['email', consumer.email, isEmail, 'must be an e-mail address']),
    ...judge(['phoneNumber.prefix', phone?.prefix, isPhonePrefix, 'must be a prefix such as +46']),
    ...judge(['phoneNumber.number', phone?.number, isNumber, 'must be a phone number of 4 to 15 digits']),
    ...judgeKind(consumer, checkout),
    ...(company ? judgeCompany(company, country) : judgeName('privatePerson', person)),
    ...judgeAddress('shippingAddress', shippingAddress),
    ...judgeCountry('shippingAddress', shippingAddress, shippingCountries),
    ...judgeCountry('billingAddress', billingAddress, shippingCountries),
    ...(billingAddress ? judgeAddress('billingAddress', billingAddress) : []),
    ...judgeCardNumbers('consumer', {
      email: consumer.email,
      reference: consumer.reference,
      phoneNumber: phone,
      privatePerson: person,
      company,
      shippingAddress,
      billingAddress,
    }),
  ];
}

/** Trims surrounding spaces. */
export function trimTexts<Value>(value: Value): Value {
  if (typeof value === 'string') return value.trim() as Value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, trimTexts(field)])) as Value;
}

function tidyAddress(address: Address): Address {
  const { country = '', postalCode = '' } = address;
  const tidied = tidyPostalCode(country, postalCode);
  return tidied ? { ...address, postalCode: tidied } : address;
}

/** Normalizes postal codes and phone numbers; the billing address defaults to the delivery address. */
export function tidyConsumer(consumer: Consumer): Consumer {
  const { phone, shippingAddress, billingAddress = shippingAddress } = consumer;
  return {
    ...consumer,
    ...(phone && { phone: { prefix: phone.prefix, number: tidyPhoneNumber(phone.number, phone.prefix) } }),
    ...(shippingAddress && { shippingAddress: tidyAddress(shippingAddress) }),
    ...(billingAddress && { billingAddress: tidyAddress(billingAddress) }),
  };
}
