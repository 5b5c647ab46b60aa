// `kassa event list|show|redeliver`: events, their deliveries and the responses.
import type { EventName } from '../../domain/decision.ts';
import type { Merchant } from '../../domain/merchant.ts';
import type { Payment } from '../../domain/payment.ts';
import { isoTime } from '../../domain/time.ts';
import { presentDelivery } from '../../api/webhook-presenter.ts';
import { redeliverOne } from '../../merchants/redeliveries.ts';
import { listDeliveriesOfEvent } from '../../store/events/deliveries.ts';
import type { Delivery } from '../../store/events/deliveries.ts';
import { findEvent, lastPosition, listEvents } from '../../store/events/events.ts';
import type { StoredEvent } from '../../store/events/events.ts';
import type { Attempt } from '../../store/events/lanes.ts';
import { LargePayment, loadGroup } from '../../store/payments/load.ts';
import type { Pool } from '../../store/connections/pool.ts';
import { publishOf } from '../../store/events/publish.ts';
import { listWebhooks } from '../../store/events/webhooks.ts';
import { shorten } from '../terminal/shorten.ts';
import { alignRows, print } from '../../ops/print.ts';
import { countOf, JSON_OPTION, printFields, printJson, printTable } from '../terminal/command.ts';
import { remark } from '../../ops/print.ts';
import { UserError } from '../../ops/user-error.ts';
import type { Command, Options } from '../terminal/command.ts';
import { LIMIT_OPTION, readLimit } from '../terminal/limit.ts';
import { withDatabase } from '../../start/database.ts';
import { readEventNames, readIdArgument } from './event-arguments.ts';
import { MAYBE_MERCHANT, MAYBE_MERCHANT_TEXT, merchantIn, readMerchantId, requireMerchant } from './which-merchant.ts';
import { noWebhook, webhookIsOff } from './webhook.ts';
import { whoAsks } from './who.ts';

// Positions to scan at a time for the latest events.
const PAGE = 1_000;

type Wanted = {
  readonly paymentId?: string;
  readonly names?: readonly EventName[];
  readonly limit: number;
};

function readWanted(options: Options): Wanted {
  const { payment, events } = options as { payment?: string; events?: string };
  const names = readEventNames(events);
  return {
    limit: readLimit(options),
    ...(payment !== undefined && { paymentId: readIdArgument(payment, '--payment', 'payment') }),
    ...(names && { names }),
  };
}

/** The latest events, oldest first. The store lists forward, so the end is scanned page by page. */
async function listLatest(pool: Pool, merchant: Merchant, { limit, ...filters }: Wanted): Promise<StoredEvent[]> {
  await publishOf(pool, merchant);
  const wanted = { merchantId: merchant.id, ...filters };
  // A payment has few.
  if (wanted.paymentId !== undefined)
    return (await listEvents(pool, { ...wanted, limit: Number.MAX_SAFE_INTEGER })).events.slice(-limit);
  const found: StoredEvent[] = [];
  for (let end = await lastPosition(pool, wanted.merchantId); end > 0 && found.length < limit; end -= PAGE) {
    const after = Math.max(0, end - PAGE);
    const { events } = await listEvents(pool, { ...wanted, after, limit: PAGE });
    found.unshift(...events.filter(({ position }) => position <= end));
  }
  return found.slice(-limit);
}

/** The name of the subject's id, for events that do not belong to a payment. */
const idNameOf = (name: EventName): string => (name === 'subscription.ended' ? 'subscriptionId' : 'webhookId');

const show = ({ id, name, at, subjectId, data }: StoredEvent) => ({
  id,
  event: name,
  timestamp: isoTime(at),
  ...(data === undefined ? { paymentId: subjectId } : { [idNameOf(name)]: subjectId }),
});

export const listEventsCommand: Command = {
  usage: '[MERCHANT] [--payment PAYMENT] [--events NAMES] [--limit N] [--json]',
  more: MAYBE_MERCHANT_TEXT,
  positionals: [MAYBE_MERCHANT],
  options: {
    payment: { type: 'string', value: 'PAYMENT', what: 'Only events of this payment.' },
    events: { type: 'string', value: 'NAMES', what: 'Only events with these names, separated by commas.' },
    limit: LIMIT_OPTION,
    json: JSON_OPTION,
  },
  run: ({ config, options, positionals }) => {
    const merchant = merchantIn(positionals);
    const wanted = readWanted(options);
    return withDatabase(config, async (pool) => {
      const events = await listLatest(pool, await merchant(pool), wanted);
      if (options['json']) printJson(events.map(show));
      else if (events.length === 0) remark('None found.');
      else
        printTable(
          ['TIME', 'NAME', 'EVENT', 'PAYMENT'],
          events.map((event) => [
            isoTime(event.at),
            event.name,
            event.id,
            event.data === undefined ? event.subjectId : '-',
          ]),
        );
      return 0;
    });
  },
};

async function requireEvent(pool: Pool, merchantId: number, id: string): Promise<StoredEvent> {
  await publishOf(pool, await requireMerchant(pool, merchantId));
  const event = await findEvent(pool, merchantId, id);
  if (event === undefined)
    throw new UserError(`Merchant ${merchantId} has no event ${id}. kassa event list ${merchantId} shows the latest.`);
  return event;
}

async function loadPayment(pool: Pool, { subjectId, merchantId, data }: StoredEvent): Promise<Payment | undefined> {
  if (data !== undefined) return undefined;
  const [loaded] = await loadGroup(pool, 'any')([{ merchantId, target: subjectId }]);
  if (loaded instanceof Error) throw loaded;
  return loaded instanceof LargePayment ? undefined : loaded?.payment;
}

type Addressed = Delivery & { readonly url: string };

/** Deliveries with their addresses; a deleted endpoint has none. */
async function listAddressed(
  pool: Pool,
  event: StoredEvent,
  payment: Payment | undefined,
): Promise<readonly Addressed[]> {
  const webhooks = new Map((await listWebhooks(pool, event.merchantId)).map(({ id, url }) => [id, url]));
  const urlOf = ({ hook, webhookId = '' }: Delivery): string =>
    (hook === undefined ? webhooks.get(webhookId) : payment?.checkout.webHooks?.[hook]?.url) ?? '(deleted)';
  return (await listDeliveriesOfEvent(pool, event)).map((delivery) => ({ ...delivery, url: urlOf(delivery) }));
}

const rowOfAttempt = ({ at, ms, status, error, answer = '' }: Attempt): string[] => [
  `  ${at}`,
  [status, error].filter((part) => part !== undefined).join(', '),
  `${ms} ms`,
  // --json has the rest.
  shorten(answer),
];

function showDelivery(delivery: Addressed): string {
  const { webhookId, hook, url, state, redeliveries, attemptCount, nextTryAt, attempts } = delivery;
  const to = webhookId === undefined ? `hook ${hook} of the payment` : `webhook ${webhookId}`;
  const next = nextTryAt === undefined ? '' : `, next attempt ${isoTime(nextTryAt)}`;
  // Includes the attempts before a redelivery, which starts the count of a delivery anew.
  const tried = attemptCount === 0 ? '' : ` after ${countOf(attemptCount, 'attempt')}`;
  const again = redeliveries === 0 ? '' : `, resent ${redeliveries === 1 ? 'once' : `${redeliveries} times`}`;
  const title = `${to}, ${url}: ${state}${tried}${again}${next}`;
  return [title, ...(attempts.length === 0 ? [] : [alignRows(attempts.map(rowOfAttempt))])].join('\n');
}

const OUTCOMES: Readonly<Record<Delivery['state'], string>> = {
  delivered: 'delivered',
  pending: 'pending',
  failed: 'failed',
  dropped: 'dropped',
};

/** "3 endpoints, 5 attempts: 2 delivered, 1 failed." */
function countOutcomes(deliveries: readonly Addressed[]): string {
  const attempts = deliveries.reduce((sum, { attemptCount }) => sum + attemptCount, 0);
  const states = Object.entries(OUTCOMES).flatMap(([state, word]) => {
    const count = deliveries.filter((delivery) => delivery.state === state).length;
    return count === 0 ? [] : [`${count} ${word}`];
  });
  return `${countOf(deliveries.length, 'endpoint')}, ${countOf(attempts, 'attempt')}: ${states.join(', ')}.`;
}

export const showEventCommand: Command = {
  usage: 'MERCHANT EVENT [--json]',
  more: '--json also shows the body as it is sent, including personal data.',
  positionals: ['MERCHANT', 'EVENT'],
  options: { json: JSON_OPTION },
  run: ({ config, options, positionals }) => {
    const merchantId = readMerchantId(positionals[0]);
    const id = readIdArgument(positionals[1] ?? '', 'EVENT', 'event');
    return withDatabase(config, async (pool) => {
      const event = await requireEvent(pool, merchantId, id);
      const payment = await loadPayment(pool, event);
      const deliveries = await listAddressed(pool, event, payment);
      if (options['json']) {
        const { bodyOf } = await import('../../events/body.ts');
        printJson({
          ...show(event),
          deliveries: deliveries.map((one) => ({ ...presentDelivery(one), url: one.url })),
          body: bodyOf(event, payment, config.publicUrl),
        });
      } else {
        printFields(show(event));
        print('');
        print(deliveries.length === 0 ? 'No endpoint subscribed to it.' : countOutcomes(deliveries));
        for (const delivery of deliveries) print(`\n${showDelivery(delivery)}`);
      }
      return 0;
    });
  },
};

export const redeliverEventCommand: Command = {
  usage: 'MERCHANT EVENT [--webhook WEBHOOK] [--json]',
  more: '--webhook also works for a webhook that does not subscribe to this event or is newer than it.',
  positionals: ['MERCHANT', 'EVENT'],
  options: {
    webhook: {
      type: 'string',
      value: 'WEBHOOK',
      what: 'Only to the webhook with this id; kassa webhook list shows it.',
    },
    json: JSON_OPTION,
  },
  run: ({ config, options, positionals }) => {
    const merchantId = readMerchantId(positionals[0]);
    const id = readIdArgument(positionals[1] ?? '', 'EVENT', 'event');
    const { webhook } = options as { webhook?: string };
    const webhookId = webhook === undefined ? undefined : readIdArgument(webhook, '--webhook', 'webhook');
    return withDatabase(config, async (pool) => {
      const event = await requireEvent(pool, merchantId, id);
      const merchant = await requireMerchant(pool, merchantId);
      const to = webhookId === undefined ? {} : { webhookId };
      const outcome = await redeliverOne(pool, whoAsks(), merchant, event, to);
      if (outcome.kind === 'no_webhook') throw noWebhook(webhookId ?? '', merchantId);
      if (outcome.kind === 'disabled') throw webhookIsOff(webhookId ?? '');
      const deliveries = outcome.kind === 'sent' ? outcome.deliveries : 0;
      if (deliveries === 0)
        throw new UserError('This event was not sent to any endpoint. Choose a webhook with --webhook.');
      if (options['json']) printJson({ id, deliveries });
      else print(`Resending ${event.name} to ${countOf(deliveries, 'endpoint')}.`);
      return 0;
    });
  },
};
