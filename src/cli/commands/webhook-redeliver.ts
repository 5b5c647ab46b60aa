// `kassa webhook redeliver` and `kassa webhook redeliveries`: resend a webhook all events since a given time, and show the
// progress. The command does the work itself; if it is interrupted, the service or a worker continues.
import { setTimeout as sleep } from 'node:timers/promises';
import { isoTime } from '../../domain/time.ts';
import { presentRedelivery } from '../../api/webhook-presenter.ts';
import { readMoment } from '../../server/formats.ts';
import { endRedelivery, redeliverSince } from '../../merchants/redeliveries.ts';
import type { RedeliveryOutcome } from '../../merchants/redeliveries.ts';
import type { Pool } from '../../store/connections/pool.ts';
import { publishOf } from '../../store/events/publish.ts';
import { findRedelivery, listRedeliveries, stepRedelivery } from '../../store/events/redeliveries.ts';
import type { Redelivery } from '../../store/events/redeliveries.ts';
import { print, remark } from '../../ops/print.ts';
import { UserError } from '../../ops/user-error.ts';
import { countOf, JSON_OPTION, printJson, printTable } from '../terminal/command.ts';
import type { Command, Options } from '../terminal/command.ts';
import { withDatabase } from '../../start/database.ts';
import { readIdArgument } from './event-arguments.ts';
import { LIMIT_OPTION, readLimit } from '../terminal/limit.ts';
import { requireMerchant } from './which-merchant.ts';
import { readWebhookId, requireWebhook, webhookIsOff } from './webhook.ts';
import { whoAsks } from './who.ts';

const POLL_EVERY_MS = 200;
const SHOW_EVERY_MS = 1_000;
// The endpoint accepts no events at the moment: there is nothing to wait for.
const STALL_TIMEOUT_MS = 10_000;

function readSince({ since }: Options): number {
  if (typeof since !== 'string') throw new UserError('--since is missing, for example: --since 2026-11-15T08:00:00Z');
  const ms = readMoment(since);
  if (ms === undefined)
    throw new UserError(`--since is ${since}; it must be a date or a timestamp such as 2026-11-15T08:00:00Z.`);
  return ms;
}

function explainRefusal(outcome: Exclude<RedeliveryOutcome, { kind: 'begun' }>, webhookId: string): UserError {
  switch (outcome.kind) {
    case 'disabled':
      return webhookIsOff(webhookId);
    case 'events_forgotten':
    case 'deliveries_forgotten':
      return new UserError(
        `Events before ${isoTime(outcome.before)} have been deleted; use that time or a later one for --since.`,
      );
    case 'under_way':
      return new UserError(
        `A redelivery to this webhook is already running, or too many of its merchant are: see kassa webhook redeliveries ${webhookId}.`,
      );
  }
}

/** Works on it until it is done, or until the endpoint stops accepting events. */
async function follow(pool: Pool, begun: Redelivery): Promise<Redelivery> {
  let reached = begun;
  let movedAt = performance.now();
  let toldAt = performance.now();
  while (reached.state === 'running' && performance.now() - movedAt < STALL_TIMEOUT_MS) {
    const step = await stepRedelivery(pool, begun.id);
    const now = step?.redelivery ?? (await findRedelivery(pool, begun.webhookId, begun.id)) ?? reached;
    if (now.events === reached.events) await sleep(POLL_EVERY_MS);
    else movedAt = performance.now();
    reached = now;
    if (performance.now() - toldAt < SHOW_EVERY_MS) continue;
    toldAt = performance.now();
    remark(`${reached.events} of ${reached.ofEvents} events checked, ${reached.deliveries} queued`);
  }
  return reached;
}

function printResult({ id, webhookId, state, deliveries }: Redelivery, url: string): void {
  const count = `${countOf(deliveries, 'event')} queued for ${url}`;
  if (state === 'completed' && deliveries === 0)
    print('There are no events since then that this webhook subscribes to.');
  else if (state === 'completed') print(`${count}.`);
  else if (state === 'running')
    print(
      `${count}. The rest follows as the webhook accepts them; kassa webhook redeliveries ${webhookId} shows the progress of ${id}.`,
    );
  else print(`${count}; then the redelivery was ${state}.`);
}

export const redeliverWebhookCommand: Command = {
  usage: 'WEBHOOK --since TIME [--json]',
  more: [
    'TIME is a date (midnight UTC) or a timestamp. Only events that the webhook subscribes to are sent.',
    'Shows the progress. Ctrl-C does not cancel the redelivery: the service or a worker continues it.',
  ].join('\n'),
  positionals: ['WEBHOOK'],
  options: {
    since: { type: 'string', value: 'TIME', what: 'The start time, such as 2026-11-15T08:00:00Z.' },
    json: JSON_OPTION,
  },
  run: ({ config, options, positionals }) => {
    const id = readWebhookId(positionals);
    const sinceMs = readSince(options);
    return withDatabase(config, async (pool) => {
      const webhook = await requireWebhook(pool, id);
      const merchant = await requireMerchant(pool, webhook.merchantId);
      const outcome = await redeliverSince(pool, whoAsks(), merchant, webhook, { sinceMs }, () =>
        publishOf(pool, merchant),
      );
      if (outcome.kind !== 'begun') throw explainRefusal(outcome, id);
      const reached = await follow(pool, outcome.redelivery);
      if (options['json']) printJson(presentRedelivery(reached));
      else printResult(reached, webhook.url);
      return 0;
    });
  },
};

const rowOf = ({ id, state, sinceMs, events, ofEvents, deliveries, createdAt }: Redelivery): string[] => [
  id,
  state,
  isoTime(createdAt),
  isoTime(sinceMs),
  `${events} of ${ofEvents}`,
  String(deliveries),
];

export const listRedeliveriesCommand: Command = {
  usage: 'WEBHOOK [--end REDELIVERY] [--limit N] [--json]',
  positionals: ['WEBHOOK'],
  options: {
    end: {
      type: 'string',
      value: 'REDELIVERY',
      what: 'Cancel this one; what it has already queued is still delivered.',
    },
    limit: LIMIT_OPTION,
    json: JSON_OPTION,
  },
  run: ({ config, options, positionals }) => {
    const webhookId = readWebhookId(positionals);
    const { end } = options as { end?: string };
    const id = end === undefined ? undefined : readIdArgument(end, 'REDELIVERY', 'redelivery');
    const limit = readLimit(options);
    return withDatabase(config, async (pool) => {
      const { merchantId } = await requireWebhook(pool, webhookId);
      const merchant = await requireMerchant(pool, merchantId);
      if (id !== undefined && (await endRedelivery(pool, whoAsks(), merchant, webhookId, id)) === 'not_found')
        throw new UserError(`There is no redelivery ${id} to webhook ${webhookId}.`);
      const found = await listRedeliveries(pool, webhookId, limit);
      if (options['json']) printJson(found.map(presentRedelivery));
      else if (found.length === 0) remark('None found.');
      else printTable(['REDELIVERY', 'STATE', 'CREATED', 'SINCE', 'EVENTS', 'QUEUED'], found.map(rowOf));
      return 0;
    });
  },
};
