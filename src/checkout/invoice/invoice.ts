// An invoice as plain data, made from a charge: everything that is printed, and nothing else. Of the consumer it takes
// name and address; numbers that name a person (national number, date of birth, a sole trader's organisation number)
// and the means of payment have no place here, so they cannot be printed.
import type { Address, Consumer } from '../../domain/consumer.ts';
import { timeOf } from '../../domain/id.ts';
import { dueDateOf, invoiceNumberOf, ocrOf } from '../../domain/invoice.ts';
import type { OrderItem } from '../../domain/item.ts';
import type { Merchant } from '../../domain/merchant.ts';
import type { Movement } from '../../domain/movement.ts';
import type { Payment } from '../../domain/payment.ts';
import { itemsOfCharge } from '../../domain/refund.ts';
import type { Language } from '../view.ts';
import { countryName } from '../languages/language.ts';

export type Invoice = {
  readonly language: Language;
  readonly merchant: { readonly name: string; readonly number: number };
  readonly invoiceNumber: string;
  /** The invoice number with its check digit: what the payer states. */
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
  /** Empty when the charge is for a part of the amount and names no items. */
  readonly items: readonly OrderItem[];
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

export function invoiceOf(
  payment: Payment,
  charge: Movement,
  merchant: Pick<Merchant, 'id' | 'name' | 'live'>,
  language: Language,
): Invoice {
  const invoiceNumber = charge.invoiceNumber ?? invoiceNumberOf(charge.id);
  const issuedAt = timeOf(charge.id);
  const { reference, currency } = payment.order;
  return {
    language,
    merchant: { name: merchant.name, number: merchant.id },
    invoiceNumber,
    ocr: ocrOf(invoiceNumber),
    issuedAt,
    dueAt: dueDateOf(issuedAt),
    ...(reference !== undefined && { reference }),
    paymentId: payment.id,
    currency,
    buyer: buyerOf(payment.consumer, language),
    items: itemsOfCharge(payment, charge),
    amount: charge.amount,
    isTest: !merchant.live,
  };
}
