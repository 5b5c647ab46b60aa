// The fields for the consumer and their addresses. Known data is filled in; if the shop handles consumer data itself, it
// is only shown.
import { callingCodeOf } from '../../../web/shared/calling-code.ts';
import { countryOfLanguage, localeOf } from '../../pages/language.ts';
import type { Language } from '../../pages/language.ts';
import { countries } from '../../domain/country.ts';
import type { Address, Consumer } from '../../domain/consumer.ts';
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import { countryName } from '../formats.ts';
import { checkoutTexts } from '../texts.ts';
import type { CheckoutView } from '../view.ts';
import { fixedField, selectField, textField } from './field.ts';
import type { Choice } from './field.ts';

// As long as the API takes them.
const LONGEST = { email: 254, name: 128, line: 256, city: 128, postalCode: 32, number: 64, phone: 32, prefix: 8 };

// The currency is a better hint for the country than the language.
const COUNTRY_OF_CURRENCY: Readonly<Partial<Record<string, string>>> = {
  SEK: 'SWE',
  NOK: 'NOR',
  DKK: 'DNK',
  ISK: 'ISL',
  GBP: 'GBR',
  CHF: 'CHE',
  PLN: 'POL',
  USD: 'USA',
};

export type ConsumerKind = 'B2C' | 'B2B';

/** The kinds of consumers that the shop sells to; the one that is chosen at first stands first. */
function consumerKinds({ payment }: CheckoutView): readonly ConsumerKind[] {
  const { consumerType } = payment.checkout;
  const isKind = (text: string | undefined): text is ConsumerKind => text === 'B2C' || text === 'B2B';
  const supported = new Set((consumerType?.supportedTypes ?? []).filter(isKind));
  const wanted = isKind(consumerType?.default) ? consumerType.default : 'B2C';
  if (supported.size === 0) return [wanted];
  const { company, person } = payment.consumer;
  const known = company !== undefined && person === undefined ? 'B2B' : wanted;
  return [...supported].toSorted((a, b) => Number(b === known) - Number(a === known));
}

/** The best guess of the consumer's country. */
export function likelyCountry({ payment, language }: CheckoutView): string | undefined {
  const { shippingCountries = [] } = payment.checkout;
  const { shippingAddress, billingAddress } = payment.consumer;
  const guesses = [
    shippingAddress?.country ?? billingAddress?.country ?? payment.checkout.countryCode,
    countryOfLanguage(language),
    COUNTRY_OF_CURRENCY[payment.order.currency],
  ];
  if (shippingCountries.length === 0) return guesses.find((guess) => guess !== undefined);
  return guesses[0] !== undefined && shippingCountries.includes(guesses[0]) ? guesses[0] : shippingCountries[0];
}

const sortedCountries = new Map<Language, readonly Choice[]>();

/** Every country by its name, or those that the shop ships to, in the order of the shop. */
function countryChoices({ payment, language }: CheckoutView): readonly Choice[] {
  const { shippingCountries = [] } = payment.checkout;
  const choice = (country: string): Choice => ({ value: country, label: countryName(country, language) });
  if (shippingCountries.length > 0) return [...new Set(shippingCountries)].map(choice);
  const known = sortedCountries.get(language);
  if (known) return known;
  const { compare } = new Intl.Collator(localeOf(language));
  const all = countries.map(choice).toSorted((a, b) => compare(a.label, b.label));
  sortedCountries.set(language, all);
  return all;
}

function kindChoice(view: CheckoutView): Html {
  const { consumer: texts } = checkoutTexts(view.language);
  const kinds = consumerKinds(view);
  const [first = 'B2C'] = kinds;
  if (kinds.length === 1) return html`<input type="hidden" name="consumerType" value="${first}" />`;
  const option = (kind: ConsumerKind, label: string): Html =>
    html`<label>
      <input type="radio" name="consumerType" value="${kind}" ${kind === first && html`checked`} /><span>${label}</span>
    </label>`;
  return html`<fieldset class="kinds">
    <legend>${texts.kind}</legend>
    ${option('B2C', texts.person)}${option('B2B', texts.company)}
  </fieldset>`;
}

function nameFields(view: CheckoutView): Html {
  const { consumer: texts } = checkoutTexts(view.language);
  const { person, company } = view.payment.consumer;
  const kinds = consumerKinds(view);
  const name = (path: string, label: string, autocomplete: string, value: string | undefined): Html =>
    textField({ name: `consumer.${path}`, label, autocomplete, value, longest: LONGEST.name, noSpellcheck: true });
  const personPart = html`<div class="pair" data-part="person">
    ${name('privatePerson.firstName', texts.firstName, 'given-name', person?.firstName)}
    ${name('privatePerson.lastName', texts.lastName, 'family-name', person?.lastName)}
  </div>`;
  const companyPart = html`<div data-part="company">
    ${name('company.name', texts.companyName, 'organization', company?.name)}
    ${textField({
      name: 'consumer.company.organisationNumber',
      label: texts.organisationNumber,
      autocomplete: 'off',
      value: company?.organisationNumber,
      optional: texts.optional,
      longest: LONGEST.number,
    })}
    <div class="pair">
      ${name('company.contact.firstName', texts.contactFirstName, 'given-name', company?.firstName)}
      ${name('company.contact.lastName', texts.contactLastName, 'family-name', company?.lastName)}
    </div>
  </div>`;
  return html`${kinds.includes('B2C') && personPart}${kinds.includes('B2B') && companyPart}`;
}

function addressFields(view: CheckoutView, kind: 'shipping' | 'billing', known: Address): Html {
  const { address: texts, consumer } = checkoutTexts(view.language);
  const path = `consumer.${kind}Address`;
  const choices = countryChoices(view);
  const [only] = choices;
  const country = known.country ?? likelyCountry(view);
  const countryField =
    choices.length === 1 && only !== undefined
      ? fixedField(`${path}.country`, texts.country, only.value, only.label)
      : selectField(
          {
            name: `${path}.country`,
            label: texts.country,
            autocomplete: `${kind} country`,
            value: country,
            empty: texts.chooseCountry,
          },
          choices,
        );
  return html`${textField({
      name: `${path}.addressLine1`,
      label: texts.line1,
      autocomplete: `${kind} address-line1`,
      value: known.addressLine1,
      longest: LONGEST.line,
    })}
    ${textField({
      name: `${path}.addressLine2`,
      label: texts.line2,
      autocomplete: `${kind} address-line2`,
      value: known.addressLine2,
      optional: consumer.optional,
      longest: LONGEST.line,
    })}
    <div class="pair postal">
      ${textField({
        name: `${path}.postalCode`,
        label: texts.postalCode,
        autocomplete: `${kind} postal-code`,
        value: known.postalCode,
        longest: LONGEST.postalCode,
        noSpellcheck: true,
      })}
      ${textField({
        name: `${path}.city`,
        label: texts.city,
        autocomplete: `${kind} address-level2`,
        value: known.city,
        longest: LONGEST.city,
      })}
    </div>
    ${countryField}`;
}

function contactFields(view: CheckoutView): Html {
  const { consumer: texts } = checkoutTexts(view.language);
  const { email, phone } = view.payment.consumer;
  const prefix = phone?.prefix || callingCodeOf(likelyCountry(view) ?? '');
  return html`${textField({
      name: 'consumer.email',
      label: texts.email,
      autocomplete: 'email',
      type: 'email',
      value: email,
      longest: LONGEST.email,
      noSpellcheck: true,
    })}
    <div class="pair phone">
      ${textField({
        name: 'consumer.phoneNumber.prefix',
        label: texts.prefix,
        autocomplete: 'tel-country-code',
        type: 'tel',
        value: prefix,
        longest: LONGEST.prefix,
      })}
      ${textField({
        name: 'consumer.phoneNumber.number',
        label: texts.phone,
        autocomplete: 'tel-national',
        type: 'tel',
        value: phone?.number,
        longest: LONGEST.phone,
      })}
    </div>`;
}

const isSame = (a: Address, b: Address): boolean =>
  (['addressLine1', 'addressLine2', 'postalCode', 'city', 'country'] as const).every(
    (part) => (a[part] ?? '') === (b[part] ?? ''),
  );

function askedConsumer(view: CheckoutView): Html {
  const { consumer: texts, address } = checkoutTexts(view.language);
  const { shippingAddress, billingAddress } = view.payment.consumer;
  const shipping = shippingAddress ?? billingAddress ?? {};
  // In a shop's page the browser would keep it apart for each shop, or not at all.
  const canRemember = view.mode === 'hosted' && view.payment.checkout.publicDevice !== true;
  const isSeparate = billingAddress !== undefined && !isSame(billingAddress, shipping);
  return html`<section class="part" aria-labelledby="consumer-heading">
    <h2 id="consumer-heading">${texts.heading}</h2>
    ${kindChoice(view)}${nameFields(view)}${contactFields(view)}
    <h3>${address.shipping}</h3>
    ${addressFields(view, 'shipping', shipping)}
    <label class="check">
      <input type="checkbox" name="separateBilling" ${isSeparate && html`checked`} /><span
        >${address.otherBilling}</span
      >
    </label>
    <div data-part="billing">
      <h3>${address.billing}</h3>
      ${addressFields(view, 'billing', isSeparate ? billingAddress : {})}
    </div>
    ${canRemember && html`<label class="check"><input type="checkbox" id="remember" /><span>${texts.remember}</span></label>`}
  </section>`;
}

/** Name, address and contact details, one line each, without empty ones. */
function knownLines({ person, company, email, phone, shippingAddress: to }: Consumer, language: Language): string[] {
  const join = (sign: string, ...parts: readonly (string | undefined)[]): string => parts.filter(Boolean).join(sign);
  const name = join(' ', person?.firstName ?? company?.firstName, person?.lastName ?? company?.lastName);
  const country = to?.country === undefined ? '' : countryName(to.country, language);
  const place = join(' ', to?.postalCode, to?.city);
  return [
    join(', ', company?.name, name),
    join(', ', to?.addressLine1, to?.addressLine2, place, country),
    join(' · ', email, phone === undefined ? '' : join(' ', phone.prefix, phone.number)),
  ].filter((line) => line !== '');
}

function knownConsumer(view: CheckoutView): Html {
  const { consumer: texts } = checkoutTexts(view.language);
  const lines = knownLines(view.payment.consumer, view.language);
  const [first = 'B2C'] = consumerKinds(view);
  const kind = html`<input type="hidden" name="consumerType" value="${first}" />`;
  if (lines.length === 0) return kind;
  return html`<section class="part known" aria-labelledby="consumer-heading">
    <h2 id="consumer-heading">${texts.heading}</h2>
    <p>${lines.map((line, index) => html`${index > 0 && html`<br />`}${line}`)}</p>
    ${kind}
  </section>`;
}

export function consumerFields(view: CheckoutView): Html {
  return view.payment.checkout.merchantHandlesConsumerData === true ? knownConsumer(view) : askedConsumer(view);
}
