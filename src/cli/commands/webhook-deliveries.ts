// `kassa webhook deliveries`: lists the deliveries to a webhook, newest first.
import { isoTime } from '../../domain/time.ts';
import { presentDelivery } from '../../api/webhook-presenter.ts';
import { listDeliveriesOfWebhook } from '../../store/events/deliveries.ts';
import type { Delivery, DeliveryQuery } from '../../store/events/deliveries.ts';
import type { Pool } from '../../store/connections/pool.ts';
import { publishOf } from '../../store/events/publish.ts';
import { shorten } from '../terminal/shorten.ts';
import { remark } from '../../ops/print.ts';
import { UserError } from '../../ops/user-error.ts';
import { JSON_OPTION, printJson, printTable } from '../terminal/command.ts';
import type { Command, Options } from '../terminal/command.ts';
import { withDatabase } from '../../start/database.ts';
import { LIMIT_OPTION, readLimit } from '../terminal/limit.ts';
import { requireMerchant } from './which-merchant.ts';
import { readWebhookId, requireWebhook } from './webhook.ts';

const STATES: readonly Delivery['state'][] = ['pending', 'delivered', 'failed', 'dropped'];

function readState({ state }: Options): Delivery['state'] | undefined {
  const known = STATES.find((name) => name === state);
  if (state === undefined || known !== undefined) return known;
  throw new UserError(`--state is ${String(state)}; it must be one of ${STATES.join(', ')}.`);
}

function rowOf({ eventId, name, state, tries, nextTryAt, attempts }: Delivery): string[] {
  const { at = '-', status, error, answer = '' } = attempts.at(-1) ?? {};
  const isOk = state === 'delivered';
  const said = [status, error, isOk || answer === '' ? undefined : shorten(answer)];
  return [
    eventId,
    name,
    state,
    String(tries),
    at,
    nextTryAt === undefined ? '-' : isoTime(nextTryAt),
    said.filter((part) => part !== undefined).join(', '),
  ];
}

/** Page by page: a page may have fewer entries than asked for. */
async function listLatest(pool: Pool, webhookId: string, query: DeliveryQuery): Promise<Delivery[]> {
  const found: Delivery[] = [];
  let before: number | undefined;
  do {
    const limit = query.limit - found.length;
    const page = await listDeliveriesOfWebhook(pool, webhookId, { ...query, limit, ...(before && { before }) });
    found.push(...page.deliveries);
    before = page.next;
  } while (before !== undefined && found.length < query.limit);
  return found;
}

export const listWebhookDeliveriesCommand: Command = {
  usage: 'WEBHOOK [--state STATE] [--limit N] [--json]',
  more: 'kassa event show MERCHANT EVENT and --json show every attempt.',
  positionals: ['WEBHOOK'],
  options: {
    state: { type: 'string', value: 'STATE', what: `Only deliveries in this state: ${STATES.join(', ')}.` },
    limit: LIMIT_OPTION,
    json: JSON_OPTION,
  },
  run: ({ config, options, positionals }) => {
    const id = readWebhookId(positionals);
    const state = readState(options);
    const limit = readLimit(options);
    return withDatabase(config, async (pool) => {
      const { merchantId } = await requireWebhook(pool, id);
      await publishOf(pool, await requireMerchant(pool, merchantId));
      const deliveries = await listLatest(pool, id, { merchantId, limit, ...(state && { state }) });
      if (options['json']) printJson(deliveries.map((delivery) => presentDelivery(delivery)));
      else if (deliveries.length === 0) remark('None found.');
      else
        printTable(
          ['EVENT', 'NAME', 'STATE', 'ATTEMPTS', 'LAST ATTEMPT', 'NEXT ATTEMPT', 'RESPONSE'],
          deliveries.map(rowOf),
        );
      return 0;
    });
  },
};
