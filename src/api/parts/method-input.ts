// A shop's settings for payment methods: which ones a payment offers, their fees, and data for methods that Kassa does
// not have.
import type { Merchant } from '../../domain/merchant.ts';
import { chooseMethods, isMethod, methodNamed, METHODS, USUAL_METHODS } from '../../domain/offered-methods.ts';
import type { Checkout } from '../../domain/payment.ts';
import { canIssueInvoices } from '../../domain/seller.ts';
import { FORMAT_TEXTS, holdsOnlyTexts } from '../../server/formats.ts';
import { badField } from '../../server/problem.ts';
import type { CreateBody } from '../schemas/payment-request.ts';
import { readItem } from '../sum-rule.ts';

const CONFIGURATION = 'paymentMethodsConfiguration';
const FEES = 'paymentMethods';
const ADDITIONAL = 'additionalPaymentMethodData';
/** The only method with a fee: the price of a card payment is in the order. */
const INVOICE = 'EasyInvoice';
// As large as the branding of the checkout may be.
const LARGEST_ADDITIONAL = 8_192;

/** The enabled methods; undefined if nothing was chosen. */
export function readMethods(
  configuration: CreateBody[typeof CONFIGURATION],
  of: { readonly currency: string; readonly live: boolean },
): readonly string[] | undefined {
  if (configuration === undefined || configuration.length === 0) return undefined;
  const entries = configuration.map(({ name, enabled = true }, index) => {
    if (name === undefined) throw badField(`${CONFIGURATION}[${index}].name`, 'is required');
    return { name, enabled };
  });
  const chosen = chooseMethods(entries, of);
  if ('text' in chosen) throw badField(`${CONFIGURATION}[${chosen.index}].name`, chosen.text);
  return chosen;
}

/** The fees of the methods that a payment may offer; undefined if none were given. */
export function readFees(
  given: CreateBody[typeof FEES],
  methods: readonly string[] = USUAL_METHODS,
): NonNullable<Checkout['fees']> | undefined {
  if (given === undefined) return undefined;
  const fees: { method: string; item: ReturnType<typeof readItem> }[] = [];
  for (const [index, { name, fee }] of given.entries()) {
    if (fee === undefined) continue;
    const field = `${FEES}[${index}].name`;
    if (name === undefined) throw badField(field, 'is required');
    const method = methodNamed(name);
    if (method === undefined && !isMethod(name))
      throw badField(field, `is no method of payment; there are ${METHODS.map((known) => known.name).join(', ')}`);
    // An app that is not offered is never used, so its fee is never due.
    const isUsed = method !== undefined && (USUAL_METHODS.includes(method) || methods.includes(method));
    if (isUsed && method !== INVOICE) throw badField(field, 'only easy-invoice can have a fee');
    if (fees.some((other) => other.method === method)) throw badField(field, 'has a fee already');
    // Nor is the fee of a method that Kassa does not have.
    if (method === INVOICE) fees.push({ method, item: readItem(fee) });
  }
  return fees;
}

/** The reason, for a merchant that asks for invoices by name. */
const CANNOT_ISSUE =
  'asks for an invoice, and this merchant can issue none: it has not told who sells and where the money goes ' +
  '(kassa merchant update)';

/** The checkout of a merchant with or without invoices: without, nobody can choose one, now or later. */
export function offerOnlyIssued(checkout: Checkout, merchant: Merchant): Checkout {
  if (canIssueInvoices(merchant)) return checkout;
  const { methods = USUAL_METHODS, fees = [] } = checkout;
  if (checkout.methods?.includes(INVOICE)) throw badField(CONFIGURATION, CANNOT_ISSUE);
  if (fees.some(({ method }) => method === INVOICE)) throw badField(FEES, CANNOT_ISSUE);
  return { ...checkout, methods: methods.filter((name) => name !== INVOICE) };
}

/** It can hold anything, personal data too, and is not needed: so it is checked and dropped. */
export function requireAdditionalData(data: CreateBody[typeof ADDITIONAL]): void {
  if (data === undefined) return;
  if (!holdsOnlyTexts(data)) throw badField(ADDITIONAL, FORMAT_TEXTS['text'] as string);
  const { length } = JSON.stringify(data);
  if (length > LARGEST_ADDITIONAL)
    throw badField(ADDITIONAL, `must have at most ${LARGEST_ADDITIONAL} characters as JSON, found ${length}`);
}
