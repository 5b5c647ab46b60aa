// What is wrong with a field, in the words of the page. The service checks the same with the same rules; here it is said
// while the consumer still stands at the field.
import { brandOf, checkCardNumber, checkCvc, checkExpiry, digitsOf } from '../shared/card.ts';
import { isEmail, isName, isPhoneNumber, isPhonePrefix } from '../shared/contact.ts';
import { isNationalNumber, isOrganisationNumber, nationalNumberExample } from '../shared/national-number.ts';
import { hasPostalCodes, postalCodeExample, tidyPostalCode } from '../shared/postal-code.ts';
import { billingCountry, countryOf, valueOf, type Field } from './fields.ts';
import { readJson, sayError } from './page-data.ts';
import type { FieldError } from './page-data.ts';

type Wrong = FieldError;

// The error of an empty field, by the last part of its name.
const MISSING: Readonly<Record<string, Wrong>> = {
  email: 'emailMissing',
  prefix: 'prefixInvalid',
  number: 'phoneMissing',
  firstName: 'nameMissing',
  lastName: 'nameMissing',
  name: 'companyMissing',
  addressLine1: 'addressMissing',
  postalCode: 'postalCodeMissing',
  city: 'cityMissing',
  country: 'countryMissing',
  cardNumber: 'cardNumberMissing',
  expiry: 'expiryMissing',
  cardVerificationCode: 'cvcMissing',
  nationalNumber: 'nationalNumberMissing',
};
const LONGEST_NAME = 128;

function checkNumber(value: string): Wrong | undefined {
  const wrong = checkCardNumber(value);
  if (wrong) return wrong === 'incomplete' ? 'cardNumberIncomplete' : 'cardNumberInvalid';
  // In the sandbox a number that is no test card may be a real one, and must not leave the page.
  const testCards = readJson('test-cards') as readonly { readonly number: string }[] | null;
  return testCards && !testCards.some(({ number }) => number === digitsOf(value)) ? 'notTestCard' : undefined;
}

function checkValue(name: string, part: string, value: string): Wrong | undefined {
  const address = name.slice(0, -part.length - 1);
  switch (part) {
    case 'email':
      return isEmail(value) ? undefined : 'emailInvalid';
    case 'prefix':
      return isPhonePrefix(value) ? undefined : 'prefixInvalid';
    case 'number':
      return isPhoneNumber(value, valueOf(`${address}.prefix`)) ? undefined : 'phoneInvalid';
    case 'postalCode':
      return tidyPostalCode(countryOf(address), value) === undefined ? 'postalCodeInvalid' : undefined;
    case 'organisationNumber':
      return isOrganisationNumber(billingCountry(), value) ? undefined : 'organisationNumberInvalid';
    case 'nationalNumber':
      return isNationalNumber(billingCountry(), value) ? undefined : 'nationalNumberInvalid';
    case 'cardNumber':
      return checkNumber(value);
    case 'expiry': {
      const wrong = checkExpiry(value, Date.now());
      return wrong && (wrong === 'expired' ? 'expired' : 'expiryInvalid');
    }
    case 'cardVerificationCode': {
      const brand = brandOf(digitsOf(valueOf('paymentType.card.cardNumber') ?? ''));
      return checkCvc(value, brand) && 'cvcInvalid';
    }
    case 'firstName':
    case 'lastName':
      return isName(value) ? undefined : value.length > LONGEST_NAME ? 'tooLong' : 'fieldInvalid';
    default:
      return undefined;
  }
}

function findWrong(field: Field): Wrong | undefined {
  const { name } = field;
  const part = name.slice(name.lastIndexOf('.') + 1);
  const value = field.value.trim();
  if (value !== '') return checkValue(name, part, value);
  if (part === 'postalCode' && !hasPostalCodes(countryOf(name.slice(0, -part.length - 1)))) return undefined;
  return field.required ? (MISSING[part] ?? 'fieldInvalid') : undefined;
}

export const isChecked = (field: Field): boolean => /^(?:consumer|paymentType)\./.test(field.name);

/** The sentence to show below the field, or nothing. */
export function checkField(field: Field): string | undefined {
  const wrong = findWrong(field);
  if (wrong === undefined) return undefined;
  const country = field.name.endsWith('.postalCode') ? countryOf(field.name.slice(0, -'.postalCode'.length)) : '';
  const example = country ? postalCodeExample(country) : nationalNumberExample(billingCountry());
  // Countries whose shape we know have an example; a code that is merely too long elsewhere has none.
  if (wrong === 'postalCodeInvalid' && !example) return sayError('fieldInvalid');
  return sayError(wrong, example);
}
