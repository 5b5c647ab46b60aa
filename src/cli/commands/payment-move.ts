// `kassa payment charge|refund|cancel`: moves the money of a payment through the API. Every request has an idempotency key,
// so that it can be retried safely.
import { showAmount } from '../../domain/currency.ts';
import { print, remark } from '../../ops/print.ts';
import { UserError } from '../../ops/user-error.ts';
import { API_OPTIONS, openApi } from '../api/client.ts';
import { getPayment, movePayment } from '../api/payments.ts';
import type { Move, ShownPayment } from '../api/payments.ts';
import { DONE_BEFORE, KEY_OPTION, readIdempotencyKey } from '../terminal/idempotency-key.ts';
import { JSON_OPTION, printJson } from '../terminal/command.ts';
import type { Command, Options } from '../terminal/command.ts';
import { readIdArgument } from './event-arguments.ts';

type Kind = Move['kind'];

const DONE: Readonly<Record<Kind, string>> = { charge: 'charged', refund: 'refunded', cancel: 'cancelled' };

function readAmount({ amount }: Options): number | undefined {
  if (amount === undefined) return undefined;
  if (!/^[1-9]\d{0,12}$/.test(String(amount)))
    throw new UserError(
      `--amount is ${String(amount)}; it must be a whole number in minor units of the currency: 10000 is 100.00 SEK.`,
    );
  return Number(amount);
}

/** The whole remaining amount. */
function leftFor(kind: Kind, { paymentId, summary }: ShownPayment): number {
  const { reservedAmount = 0, chargedAmount = 0, refundedAmount = 0, cancelledAmount = 0 } = summary;
  const left = kind === 'refund' ? chargedAmount - refundedAmount : reservedAmount - chargedAmount - cancelledAmount;
  if (kind !== 'refund' && reservedAmount === 0)
    throw new UserError(
      `Payment ${paymentId} is not reserved: the consumer has not paid, so there is nothing to ${kind}.`,
    );
  if (left <= 0) throw new UserError(`Payment ${paymentId} has nothing left to ${kind}.`);
  return left;
}

const moveCommand = (kind: Kind, more: string): Command => ({
  usage: 'PAYMENT [--amount AMOUNT] [--idempotency-key KEY] [--json] [--url KASSA] [--key SECRET_KEY]',
  more,
  positionals: ['PAYMENT'],
  options: {
    amount: {
      type: 'string',
      value: 'AMOUNT',
      what: `Amount in minor units: 10000 is 100.00 SEK. Default: everything left to ${kind}.`,
    },
    'idempotency-key': KEY_OPTION,
    json: JSON_OPTION,
    ...API_OPTIONS,
  },
  run: async ({ config, options, positionals }) => {
    const paymentId = readIdArgument(positionals[0] ?? '', 'PAYMENT', 'payment');
    const given = readAmount(options);
    const idempotencyKey = readIdempotencyKey(options);
    const api = await openApi(config, options, { live: true });
    const payment = await getPayment(api, paymentId);
    const amount = given ?? leftFor(kind, payment);
    const { body, isReplayed } = await movePayment(api, { kind, paymentId, amount, idempotencyKey });
    if (options['json']) printJson({ paymentId, amount, ...body });
    else {
      const ids = ['chargeId', 'refundId'].flatMap((name) => (name in body ? [`, id ${String(body[name])}`] : []));
      print(
        `${showAmount(amount, payment.orderDetails.currency)} of payment ${paymentId} ${DONE[kind]}${ids.join('')}.`,
      );
    }
    if (isReplayed) remark(DONE_BEFORE);
    return 0;
  },
});

export const chargePaymentCommand = moveCommand('charge', 'Charges the reserved amount, in full or in part.');
export const refundPaymentCommand = moveCommand(
  'refund',
  'Refunds a charge, in full or in part. One charge must have enough left; otherwise the error lists what each has left.',
);
export const cancelPaymentCommand = moveCommand('cancel', 'Releases the reserved amount that is not charged.');
