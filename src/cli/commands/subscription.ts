// `kassa subscription list|show|end`: a merchant's subscriptions, from the database, since the API cannot list them. The
// event of an ended subscription is delivered as usual, by the service or a worker.
import { showAmount } from '../../domain/currency.ts';
import { hasExpired } from '../../domain/subscription.ts';
import type { Subscription } from '../../domain/subscription.ts';
import { isoTime } from '../../domain/time.ts';
import { print, remark } from '../../ops/print.ts';
import { UserError } from '../../ops/user-error.ts';
import { nowOf } from '../../payments/clock.ts';
import { endSubscription } from '../../store/payments/end-subscription.ts';
import { findMerchant } from '../../store/merchants/merchants.ts';
import type { Pool } from '../../store/connections/pool.ts';
import { listCharges } from '../../store/payments/renewals.ts';
import { openReplication } from '../../store/connections/replication.ts';
import { findAnySubscription, listSubscriptions } from '../../store/payments/subscriptions.ts';
import { withDatabase } from '../../start/database.ts';
import { canConfirm, confirm } from '../terminal/confirm.ts';
import { JSON_OPTION, printFields, printJson, printTable } from '../terminal/command.ts';
import type { Command } from '../terminal/command.ts';
import { LIMIT_OPTION, readLimit } from '../terminal/limit.ts';
import { readIdArgument } from './event-arguments.ts';
import { MAYBE_MERCHANT, MAYBE_MERCHANT_TEXT, merchantIn } from './which-merchant.ts';

const MOST_CHARGES = 100;

const stateOf = (subscription: Subscription, at: number): string =>
  subscription.state !== 'ended' && hasExpired(subscription, at) ? 'expired' : subscription.state;

/** Without its secret, which only the address of the consumer's page contains. */
const show = (subscription: Subscription, at: number) => {
  const { id, merchantId, kind, intervalDays, endsAt, ended, paymentId, method, consent } = subscription;
  return {
    subscriptionId: id,
    merchantId,
    kind,
    state: stateOf(subscription, at),
    ...(ended && { endedAt: isoTime(ended.at), endedBy: ended.by }),
    ...(intervalDays !== undefined && { interval: intervalDays }),
    ...(endsAt !== undefined && { endDate: isoTime(endsAt) }),
    agreedAt: isoTime(consent.agreedAt),
    amount: consent.amount,
    currency: consent.currency,
    card: [method.paymentMethod, method.maskedPan].filter(Boolean).join(' '),
    paymentId,
  };
};

async function requireSubscription(pool: Pool, text: string | undefined): Promise<Subscription> {
  const id = readIdArgument(text ?? '', 'SUBSCRIPTION', 'subscription');
  const subscription = await findAnySubscription(pool, id);
  if (subscription === undefined)
    throw new UserError(`There is no subscription ${id}. kassa subscription list shows all.`);
  return subscription;
}

/** By its merchant's clock. */
const nowFor = async (pool: Pool, { merchantId }: Subscription): Promise<number> =>
  nowOf((await findMerchant(pool, merchantId)) ?? {});

export const listSubscriptionsCommand: Command = {
  usage: '[MERCHANT] [--limit N] [--json]',
  more: MAYBE_MERCHANT_TEXT,
  positionals: [MAYBE_MERCHANT],
  options: { limit: LIMIT_OPTION, json: JSON_OPTION },
  run: ({ config, options, positionals }) => {
    const merchant = merchantIn(positionals);
    const limit = readLimit(options);
    return withDatabase(config, async (pool) => {
      const whose = await merchant(pool);
      const at = nowOf(whose);
      const found = (await listSubscriptions(pool, whose.id, limit)).map((one) => show(one, at));
      if (options['json']) printJson(found);
      else if (found.length === 0) remark('None found.');
      else
        printTable(
          ['SUBSCRIPTION', 'KIND', 'STATE', 'INTERVAL', 'END', 'AGREED', 'CARD'],
          found.map(({ subscriptionId, kind, state, interval, endDate, agreedAt, card }) => [
            subscriptionId,
            kind,
            state,
            interval === undefined ? '-' : String(interval),
            endDate ?? '-',
            agreedAt,
            card,
          ]),
        );
      return 0;
    });
  },
};

export const showSubscriptionCommand: Command = {
  usage: 'SUBSCRIPTION [--json]',
  more: [
    'consumerPageUrl is where the consumer sees and ends the subscription. Anyone who has it can end it: share it with no',
    'one else. Without KASSA_PUBLIC_URL it lacks the address of the service.',
  ].join('\n'),
  positionals: ['SUBSCRIPTION'],
  options: { json: JSON_OPTION },
  run: ({ config, options, positionals }) =>
    withDatabase(config, async (pool) => {
      const subscription = await requireSubscription(pool, positionals[0]);
      const { charges, more } = await listCharges(pool, subscription.id, MOST_CHARGES);
      const consumerPageUrl = `${config.publicUrl ?? ''}/subscriptions/${subscription.id}/${subscription.secret}`;
      const shown = { ...show(subscription, await nowFor(pool, subscription)), consumerPageUrl };
      if (options['json']) {
        printJson({ ...shown, charges });
        return 0;
      }
      printFields({ ...shown, amount: `${shown.amount}  (${showAmount(shown.amount, shown.currency)})` });
      if (charges.length > 0) print('');
      if (charges.length > 0)
        printTable(
          ['DAY', 'STATE', 'AMOUNT', 'REFUNDED', 'CURRENCY', 'PAYMENT'],
          charges.map(({ day, state, amount, refunded, currency, paymentId }) => [
            day,
            state,
            String(amount),
            String(refunded),
            currency,
            paymentId,
          ]),
        );
      if (more) remark(`Showing the latest ${MOST_CHARGES} charges; there are more.`);
      return 0;
    }),
};

export const endSubscriptionCommand: Command = {
  usage: 'SUBSCRIPTION [--yes] [--json]',
  more: [
    'A charge in progress completes; every later one is refused (402, 1030). Sends the event subscription.ended.',
    'This cannot be undone, so it asks for confirmation; without a terminal, --yes is required.',
  ].join('\n'),
  positionals: ['SUBSCRIPTION'],
  options: { yes: { type: 'boolean', what: 'Do not ask for confirmation.' }, json: JSON_OPTION },
  run: ({ config, options, positionals }) =>
    withDatabase(config, async (pool) => {
      const subscription = await requireSubscription(pool, positionals[0]);
      const { id } = subscription;
      const isSure = options['yes'] === true;
      if (!isSure && !canConfirm())
        throw new UserError(
          'Ending a subscription cannot be undone, and there is no terminal to confirm it: pass --yes.',
        );
      if (!isSure && !(await confirm(`End subscription ${id}? This cannot be undone.`)))
        throw new UserError('Nothing was ended.');
      const writer: Parameters<typeof endSubscription>[0] = {
        run: (statement, values) => pool.run(statement, values),
        confirm: (found) => openReplication(pool).confirm(found),
      };
      const at = await nowFor(pool, subscription);
      const isNews = await endSubscription(writer, id, 'merchant', at);
      const now = await requireSubscription(pool, id);
      if (options['json']) printJson(show(now, at));
      else
        print(isNews ? `Ended subscription ${id}.` : `Subscription ${id} was already ended by the ${now.ended?.by}.`);
      return 0;
    }),
};
