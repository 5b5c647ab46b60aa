// Reads what the page sends when the consumer presses the button. The card's number and the CVC are exchanged right
// here for an opaque source and go no further; so is the national number. What is wrong is told by field, and no value
// is repeated.
import * as Type from '../schema/type.ts';
import { exchangeApp, exchangeInvoice, exchangeTestCard } from '../acquirers/test-cards.ts';
import type { Instrument } from '../acquirers/test-cards.ts';
import { billedCountryOf } from '../domain/consumer.ts';
import type { Consumer } from '../domain/consumer.ts';
import { METHODS, offeredMethods, refuseUnlessOffered } from '../domain/offered-methods.ts';
import type { Payment } from '../domain/payment.ts';
import { describeNotOffered } from '../api/dialects/refusal.ts';
import { BadRequest } from '../server/problem.ts';
import type { Problem } from '../server/problem.ts';
import { ConsumerSchema, readConsumer } from '../api/schemas/consumer.ts';
import { HIGHEST_AMOUNT } from '../api/schemas/values.ts';
import { brandOf, checkCardNumber, checkCvc, checkExpiry, digitsOf, expiryOf } from '../../web/shared/card.ts';
import { hasNationalNumber, tidyNationalNumber } from '../../web/shared/national-number.ts';
import { judgeConsumer, tidyConsumer, trimTexts } from './consumer-rules.ts';
import { APP_TYPES, appNamed } from './offered-types.ts';

const LONGEST_SECRET_TEXT = 64;

/** A text that is looked at here alone; a real client sends some of them as numbers. */
const Shown = Type.Optional(Type.String({ maxLength: LONGEST_SECRET_TEXT, 'x-number-as-text': true }));

/** What the page sends before it asks the shop: who pays, and nothing of how. */
const PressFields = {
  // 0 where a card is registered for a subscription.
  amountConfirmedByConsumer: Type.Integer({ minimum: 0, maximum: HIGHEST_AMOUNT }),
  acceptedTermsAndConditions: Type.Optional(Type.Boolean()),
  consumer: Type.Optional(ConsumerSchema),
};

export const PressSchema = Type.Object(PressFields, { title: 'PressRequest' });
export type PressBody = Type.Static<typeof PressSchema>;

export const PaySchema = Type.Object(
  {
    ...PressFields,
    type: Type.Optional(Type.String({ enum: ['card', 'invoice', ...APP_TYPES] })),
    paymentType: Type.Optional(
      Type.Object({
        card: Type.Optional(
          Type.Object({
            cardNumber: Shown,
            cardVerificationCode: Shown,
            expiryMonth: Shown,
            expiryYear: Shown,
            cardholderName: Shown,
          }),
        ),
        invoice: Type.Optional(Type.Object({ nationalNumber: Shown })),
      }),
    ),
    language: Type.Optional(Type.String({ maxLength: 35 })),
  },
  { title: 'PayRequest' },
);
export type PayBody = Type.Static<typeof PaySchema>;
type CardBody = NonNullable<NonNullable<PayBody['paymentType']>['card']>;

/** A card that is no test card: the consumer is told so in a sentence, and nothing of it is kept. */
export class NotATestCard extends Error {
  override readonly name = 'NotATestCard';
}

const CARD = 'paymentType.card';

const NUMBER_TEXTS = {
  missing: 'is required',
  incomplete: 'must have all the digits of a card number',
  invalid: 'must be a card number; a digit is wrong',
};
const CVC_TEXTS = { missing: 'is required', invalid: 'must be the three or four digits on the card' };

const problem = (field: string, text: string | undefined): Problem[] => (text === undefined ? [] : [{ field, text }]);

function judgeExpiry({ expiryMonth, expiryYear }: CardBody, at: number): Problem[] {
  if (!expiryMonth || !expiryYear)
    return problem(`${CARD}.${expiryMonth ? 'expiryYear' : 'expiryMonth'}`, 'is required');
  const wrong = checkExpiry(`${expiryMonth}/${expiryYear}`, at);
  if (wrong === 'expired') return problem(`${CARD}.expiryYear`, 'must not be in the past');
  const text = 'must be a month from 1 to 12 with a year of two or four digits, not more than 20 years ahead';
  return problem(`${CARD}.expiryMonth`, wrong && text);
}

const twoDigits = (number: number): string => String(number % 100).padStart(2, '0');

function readCard(card: CardBody = {}, at: number): Instrument {
  const { cardNumber = '', cardVerificationCode = '' } = card;
  const expiry = expiryOf(card.expiryMonth ?? '', card.expiryYear ?? '');
  const badNumber = checkCardNumber(cardNumber);
  const badCvc = checkCvc(cardVerificationCode, brandOf(digitsOf(cardNumber)));
  const problems = [
    ...problem(`${CARD}.cardNumber`, badNumber && NUMBER_TEXTS[badNumber]),
    ...judgeExpiry(card, at),
    ...problem(`${CARD}.cardVerificationCode`, badCvc && CVC_TEXTS[badCvc]),
  ];
  if (problems.length > 0 || expiry === undefined) throw new BadRequest(problems);
  const expiryDate = twoDigits(expiry.month) + twoDigits(expiry.year);
  const instrument = exchangeTestCard(digitsOf(cardNumber), expiryDate);
  if (instrument === undefined) throw new NotATestCard('no test card');
  return instrument;
}

/** An invoice needs somebody to send it to, and in some countries the number by which they are known. */
function readInvoice(nationalNumber: string | undefined, { person, company, ...consumer }: Consumer): Instrument {
  const country = billedCountryOf(consumer);
  if ((person ?? company) === undefined || country === undefined)
    throw new BadRequest(problem('consumer', 'is required for an invoice: a name and an address'));
  const field = 'paymentType.invoice.nationalNumber';
  const isAsked = company === undefined && hasNationalNumber(country);
  if (isAsked && !nationalNumber) throw new BadRequest(problem(field, 'is required for an invoice'));
  if (!nationalNumber || !hasNationalNumber(country)) return exchangeInvoice();
  const number = tidyNationalNumber(country, nationalNumber);
  if (number === undefined) throw new BadRequest(problem(field, `must be a national number of ${country}`));
  return exchangeInvoice(number);
}

export type ReadPay = { readonly instrument: Instrument; readonly consumer?: Consumer };

/** Only the shop may set the consumer's reference: otherwise a payer could pose as another customer. */
const withoutShopsName = ({ reference: _shops, ...typed }: Consumer): Consumer => typed;

/** Who pays, where the page asks for it. Throws what is wrong with it; the payment says what must be there. */
export function readPress(body: PressBody, { checkout }: Payment): Consumer | undefined {
  const termsNeeded = body.acceptedTermsAndConditions === false || checkout.termsUrl !== undefined;
  if (termsNeeded && body.acceptedTermsAndConditions !== true)
    throw new BadRequest(problem('acceptedTermsAndConditions', 'must be true'));
  const isAsked = checkout.merchantHandlesConsumerData !== true && body.consumer !== undefined;
  const typed = isAsked ? trimTexts(readConsumer(body.consumer)) : undefined;
  const problems = typed ? judgeConsumer(typed, checkout) : [];
  if (problems.length > 0) throw new BadRequest(problems);
  return typed && tidyConsumer(withoutShopsName(typed));
}

/** A kind of payment that the shop has turned off is not even looked at. */
function requireOffered(payment: Payment, is: (method: (typeof METHODS)[number]) => boolean): void {
  const offered = offeredMethods(payment);
  if (METHODS.some((method) => is(method) && offered.includes(method.name))) return;
  throw new BadRequest(problem('type', `this payment offers only ${offered.join(', ')}`));
}

function readInstrument(body: PayBody, payment: Payment, consumer: Consumer, at: number): Instrument {
  const app = appNamed(body.type ?? '');
  if (app !== undefined) {
    requireOffered(payment, ({ name }) => name === app);
    return exchangeApp(app);
  }
  const paymentType = body.type === 'invoice' ? 'INVOICE' : 'CARD';
  requireOffered(payment, (method) => method.paymentType === paymentType);
  if (paymentType === 'INVOICE') return readInvoice(body.paymentType?.invoice?.nationalNumber, consumer);
  return readCard(body.paymentType?.card, at);
}

export function readPay(body: PayBody, payment: Payment, at: number): ReadPay {
  const consumer = readPress(body, payment);
  const instrument = readInstrument(body, payment, consumer ?? payment.consumer, at);
  const refusal = refuseUnlessOffered(payment, instrument.method)?.refusal;
  if (refusal?.name === 'method_is_not_offered')
    throw new BadRequest(problem(`${CARD}.cardNumber`, describeNotOffered(refusal)));
  return { instrument, ...(consumer && { consumer }) };
}
