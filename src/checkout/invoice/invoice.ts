// An invoice or a credit note as plain data, made from a charge or a refund: everything that is printed, and nothing else.
// Of the consumer it takes name and address; numbers that name a person (national number, date of birth, a sole trader's
// organisation number) and the means of payment have no place here, so they cannot be printed.
import type { Address, Consumer } from '../../domain/consumer.ts';
import type { Language } from '../../pages/language.ts';
import { timeOf } from '../../domain/id.ts';
import { dueDateOf, invoiceNumberOf } from '../../domain/invoice.ts';
import type { OrderItem } from '../../domain/item.ts';
import type { Merchant } from '../../domain/merchant.ts';
import type { Issued, Movement } from '../../domain/movement.ts';
import type { Payment } from '../../domain/payment.ts';
import { referenceOf } from '../../domain/payment-reference.ts';
import { itemsOfCharge, itemsOfRefund } from '../../domain/refund.ts';
import { taxLinesOfCharge, taxLinesOfRefund } from '../../domain/tax-lines.ts';
import type { TaxLine } from '../../domain/tax-lines.ts';
import { countryName } from '../formats.ts';
import { printSeller } from './printed-seller.ts';
import type { PrintedSeller } from './printed-seller.ts';

/** The invoice that a credit note takes something back of. */
type Credited = { readonly number: number; readonly issuedAt: number };

export type Invoice = {
  readonly language: Language;
  readonly merchant: { readonly name: string; readonly number: number };
  readonly seller: PrintedSeller;
  /** The long number; of a credit note, that of the invoice it is of. */
  readonly invoiceNumber: string;
  /** In the merchant's series. */
  readonly number: number;
  /** A credit note's. */
  readonly credits?: Credited;
  /** The reference with its check digit: what the payer states. */
  readonly ocr: string;
  readonly issuedAt: number;
  /** Midnight UTC of the last day to pay. */
  readonly dueAt: number;
  /** The shop's own name of the order. */
  readonly reference?: string;
  readonly paymentId: string;
  readonly currency: string;
  /** Name and address, a line each; empty when the consumer is unknown or was erased. */
  readonly buyer: readonly string[];
  /** Empty when it is for a part of the amount and names no items. */
  readonly items: readonly OrderItem[];
  /** What of it is tax, by rate; that of the items where it is left out. */
  readonly taxes?: readonly TaxLine[];
  readonly amount: number;
  readonly isTest: boolean;
};

const together = (...words: readonly (string | undefined)[]): string => words.filter(Boolean).join(' ');

function addressLines(address: Address, language: Language): string[] {
  const { addressLine1 = '', addressLine2 = '', postalCode, city, country } = address;
  const place = together(postalCode, city);
  return [addressLine1, addressLine2, place, country === undefined ? '' : countryName(country, language)];
}

function buyerOf(consumer: Consumer, language: Language): string[] {
  const { company, person } = consumer;
  const names = [
    company?.name ?? '',
    together(company?.firstName, company?.lastName),
    together(person?.firstName, person?.lastName),
  ];
  const address = consumer.billingAddress ?? consumer.shippingAddress ?? {};
  return [...names, ...addressLines(address, language)].filter((line) => line.trim() !== '');
}

/** Nothing is printed before it has its number. */
function issuedOf({ id, issued }: Movement): Issued {
  if (issued === undefined) throw new Error(`${id} has no number yet`);
  return issued;
}

/** The invoice of a charge. */
export function invoiceOf(
  payment: Payment,
  charge: Movement,
  merchant: Pick<Merchant, 'id' | 'name' | 'live'>,
  language: Language,
): Invoice {
  const { id, amount, invoiceNumber = invoiceNumberOf(id) } = charge;
  const { number, seller: sellerThen } = issuedOf(charge);
  const issuedAt = timeOf(id);
  const { reference, currency } = payment.order;
  const ocr = referenceOf(charge);
  const seller = printSeller(sellerThen, merchant, language, ocr);
  return {
    language,
    merchant: { name: seller.name, number: merchant.id },
    seller,
    invoiceNumber,
    number,
    ocr,
    issuedAt,
    dueAt: dueDateOf(issuedAt),
    ...(reference !== undefined && { reference }),
    paymentId: payment.id,
    currency,
    buyer: buyerOf(payment.consumer, language),
    items: itemsOfCharge(payment, charge),
    taxes: taxLinesOfCharge(payment, charge),
    amount,
    isTest: !merchant.live,
  };
}

/** The credit note of a refund. */
export function creditNoteOf(
  payment: Payment,
  charge: Movement,
  refund: Movement,
  merchant: Pick<Merchant, 'id' | 'name' | 'live'>,
  language: Language,
): Invoice {
  const invoice = invoiceOf(payment, charge, merchant, language);
  const issued = issuedOf(refund);
  const seller = printSeller(issued.seller, merchant, language, invoice.ocr);
  return {
    ...invoice,
    seller,
    merchant: { name: seller.name, number: merchant.id },
    number: issued.number,
    credits: { number: invoice.number, issuedAt: invoice.issuedAt },
    issuedAt: timeOf(refund.id),
    items: itemsOfRefund(payment, refund),
    taxes: taxLinesOfRefund(payment, charge, refund),
    amount: refund.amount,
  };
}
