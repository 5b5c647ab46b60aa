// The consumer in a request: what shops send when they handle the consumer's data themselves, together with the
// specification's own fields for a payment that is read.
import type { Address, Consumer, Phone } from '../../domain/consumer.ts';
import { readCountry } from '../../domain/country.ts';
import * as Type from '../../schema/type.ts';
import { readDay } from '../../server/formats.ts';
import { given } from './given.ts';
import { Country, LooseText } from './values.ts';

const Name = LooseText(128);
const Email = LooseText(254);

export const PhoneSchema = Type.Object(
  {
    prefix: Type.Optional(LooseText(8, 'With its plus sign: +46.')),
    number: Type.Optional(LooseText(32)),
  },
  { title: 'PhoneNumber' },
);

export const AddressSchema = Type.Object(
  {
    addressLine1: Type.Optional(LooseText(256)),
    addressLine2: Type.Optional(LooseText(256)),
    receiverLine: Type.Optional(LooseText(256, 'Who receives it, when not the consumer.')),
    postalCode: Type.Optional(LooseText(32)),
    city: Type.Optional(LooseText(128)),
    country: Type.Optional(Country),
    phoneNumber: Type.Optional(PhoneSchema),
  },
  { title: 'Address' },
);

const PersonFields = {
  firstName: Type.Optional(Name),
  lastName: Type.Optional(Name),
  email: Type.Optional(Email),
  phoneNumber: Type.Optional(PhoneSchema),
  merchantReference: Type.Optional(LooseText(128)),
};

export const ConsumerSchema = Type.Object(
  {
    email: Type.Optional(Email),
    reference: Type.Optional(LooseText(128, 'Your own name for this consumer.')),
    phoneNumber: Type.Optional(PhoneSchema),
    billingAddress: Type.Optional(AddressSchema),
    shippingAddress: Type.Optional(AddressSchema),
    privatePerson: Type.Optional(
      Type.Object({
        ...PersonFields,
        dateOfBirth: Type.Optional(Type.String({ format: 'day', description: 'A date, or a timestamp of that day.' })),
      }),
    ),
    company: Type.Optional(
      Type.Object({
        ...PersonFields,
        name: Type.Optional(Name),
        organisationNumber: Type.Optional(LooseText(64)),
        registrationNumber: Type.Optional(LooseText(64)),
        contact: Type.Optional(Type.Object({ firstName: Type.Optional(Name), lastName: Type.Optional(Name) })),
      }),
    ),
  },
  { title: 'ConsumerData', description: 'Who pays, when your shop knows already: a private person or a company.' },
);

type ConsumerBody = Type.Static<typeof ConsumerSchema>;
type AddressBody = Type.Static<typeof AddressSchema>;
type PhoneBody = Type.Static<typeof PhoneSchema>;

function readAddress(body: AddressBody | undefined): Address | undefined {
  if (body === undefined) return undefined;
  const { addressLine1, addressLine2, receiverLine, postalCode, city } = body;
  const country = body.country && readCountry(body.country);
  return given({ addressLine1, addressLine2, receiverLine, postalCode, city, country });
}

/** The first phone that has a number. Many shops know no prefix. */
function readPhone(...phones: readonly (PhoneBody | undefined)[]): Phone | undefined {
  const found = phones.find((phone) => phone?.number);
  return found?.number === undefined ? undefined : { prefix: found.prefix ?? '', number: found.number };
}

export function readConsumer(body: ConsumerBody | undefined): Consumer {
  if (body === undefined) return {};
  const { privatePerson: person, company } = body;
  return (
    given({
      email: body.email || person?.email || company?.email,
      phone: readPhone(
        body.phoneNumber,
        person?.phoneNumber,
        company?.phoneNumber,
        body.shippingAddress?.phoneNumber,
        body.billingAddress?.phoneNumber,
      ),
      reference: body.reference || person?.merchantReference || company?.merchantReference,
      billingAddress: readAddress(body.billingAddress),
      shippingAddress: readAddress(body.shippingAddress),
      person:
        person &&
        given({
          firstName: person.firstName,
          lastName: person.lastName,
          dateOfBirth: person.dateOfBirth === undefined ? undefined : readDay(person.dateOfBirth),
        }),
      company:
        company &&
        given({
          name: company.name,
          organisationNumber: company.organisationNumber || company.registrationNumber,
          firstName: company.contact?.firstName ?? company.firstName,
          lastName: company.contact?.lastName ?? company.lastName,
        }),
    }) ?? {}
  );
}
