// `kassa payment list|show`: a merchant's payments, through the API of a local or remote Kassa.
import { showAmount } from '../../domain/currency.ts';
import { LIST_STATES } from '../../domain/state.ts';
import { alignRows, print, remark } from '../../ops/print.ts';
import { UserError } from '../../ops/user-error.ts';
import { API_OPTIONS, openApi } from '../api/client.ts';
import { getPayment, listPayments } from '../api/payments.ts';
import type { Filters, ShownPayment } from '../api/payments.ts';
import { JSON_OPTION, printFields, printJson, printTable } from '../terminal/command.ts';
import type { Command, Options } from '../terminal/command.ts';
import { LIMIT_OPTION, readLimit } from '../terminal/limit.ts';
import { readIdArgument } from './event-arguments.ts';

function readFilters({ reference, state, from, to }: Options): Filters {
  if (state !== undefined && !LIST_STATES.some((known) => known === state))
    throw new UserError(`--state is ${String(state)}; it must be one of ${LIST_STATES.join(', ')}.`);
  const given = Object.entries({ reference, state, from, to }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given);
}

const rowOf = ({ paymentId, created, summary, orderDetails }: ShownPayment): string[] => [
  paymentId,
  created,
  String(orderDetails.amount),
  String(summary.reservedAmount ?? 0),
  String(summary.chargedAmount ?? 0),
  String(summary.refundedAmount ?? 0),
  String(summary.cancelledAmount ?? 0),
  orderDetails.currency,
  orderDetails.reference ?? '-',
];

export const listPaymentsCommand: Command = {
  usage: '[--reference TEXT] [--state STATE] [--from TIME] [--to TIME] [OPTIONS]',
  more: [
    'Amounts are in minor units of the currency: 10000 is 100.00 SEK.',
    `STATE is one of ${LIST_STATES.join(', ')}.`,
  ].join('\n'),
  options: {
    reference: { type: 'string', value: 'TEXT', what: 'Only payments with this order reference.' },
    state: {
      type: 'string',
      value: 'STATE',
      what: 'Only payments in this state, such as reserved or charged.',
    },
    from: { type: 'string', value: 'TIME', what: 'Only payments created at TIME or later, such as 2026-11-15.' },
    to: { type: 'string', value: 'TIME', what: 'Only payments created before TIME.' },
    limit: LIMIT_OPTION,
    json: JSON_OPTION,
    ...API_OPTIONS,
  },
  run: async ({ config, options }) => {
    const filters = readFilters(options);
    const limit = readLimit(options);
    const api = await openApi(config, options, { live: true });
    const payments = await listPayments(api, filters, limit);
    if (options['json']) printJson(payments);
    else if (payments.length === 0) remark('None found.');
    else
      printTable(
        ['PAYMENT', 'CREATED', 'AMOUNT', 'RESERVED', 'CHARGED', 'REFUNDED', 'CANCELLED', 'CURRENCY', 'REFERENCE'],
        payments.map(rowOf),
      );
    return 0;
  },
};

function show(payment: ShownPayment): string {
  const { paymentId, created, terminated, summary, orderDetails, paymentDetails } = payment;
  const { charges = [], refunds = [], pending = [] } = payment;
  const { currency } = orderDetails;
  const amount = (minor = 0): string => `${minor}  (${showAmount(minor, currency)})`;
  printFields({
    paymentId,
    created,
    terminated,
    reference: orderDetails.reference,
    paidWith:
      [paymentDetails.paymentMethod, paymentDetails.cardDetails?.maskedPan].filter(Boolean).join(' ') || undefined,
    amount: amount(orderDetails.amount),
    reserved: amount(summary.reservedAmount),
    charged: amount(summary.chargedAmount),
    refunded: amount(summary.refundedAmount),
    cancelled: amount(summary.cancelledAmount),
  });
  return alignRows([
    ...charges.map((charge) => ['charge', charge.chargeId, charge.created, String(charge.amount), '']),
    ...refunds.map((refund) => ['refund', refund.refundId, refund.lastUpdated, String(refund.amount), refund.state]),
    ...pending.map(({ kind, id, created: at, amount: minor }) => [kind, id, at, String(minor), 'Pending']),
  ]);
}

export const showPaymentCommand: Command = {
  usage: 'PAYMENT [--json] [--url KASSA] [--key SECRET_KEY]',
  more: '--json prints the full API response, including personal data.',
  positionals: ['PAYMENT'],
  options: { json: JSON_OPTION, ...API_OPTIONS },
  run: async ({ config, options, positionals }) => {
    const id = readIdArgument(positionals[0] ?? '', 'PAYMENT', 'payment');
    const api = await openApi(config, options, { live: true });
    const payment = await getPayment(api, id);
    if (options['json']) printJson(payment);
    else {
      const movements = show(payment);
      if (movements !== '') print(`\n${movements}`);
    }
    return 0;
  },
};
