// `kassa webhook redeliver` and `kassa webhook redeliveries`: sending a webhook again what happened since a time, with
// its progress, and what became of it. The command works on it itself; left alone, whoever delivers goes on with it.
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

const LOOK_AGAIN_MS = 200;
const TELL_EVERY_MS = 1_000;
// Nobody takes events at this time: there is nothing to wait for.
const LONGEST_STANDSTILL_MS = 10_000;

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
        `Events before ${isoTime(outcome.before)} are no longer kept; give that or a later --since.`,
      );
    case 'under_way':
      return new UserError(
        `A redelivery to this webhook is under way, or several of its merchant are; kassa webhook redeliveries ${webhookId} shows it.`,
      );
  }
}

/** Works on it until it is over, or until nothing more is taken. */
async function follow(pool: Pool, begun: Redelivery): Promise<Redelivery> {
  let reached = begun;
  let movedAt = performance.now();
  let toldAt = performance.now();
  while (reached.state === 'running' && performance.now() - movedAt < LONGEST_STANDSTILL_MS) {
    const step = await stepRedelivery(pool, begun.id);
    const now = step?.redelivery ?? (await findRedelivery(pool, begun.webhookId, begun.id)) ?? reached;
    if (now.events === reached.events) await sleep(LOOK_AGAIN_MS);
    else movedAt = performance.now();
    reached = now;
    if (performance.now() - toldAt < TELL_EVERY_MS) continue;
    toldAt = performance.now();
    remark(`${reached.events} of ${reached.ofEvents} events looked at, ${reached.deliveries} on the way`);
  }
  return reached;
}

function tell({ id, webhookId, state, deliveries }: Redelivery, url: string): void {
  const count = `${countOf(deliveries, 'event')} ${deliveries === 1 ? 'is' : 'are'} on the way to ${url}`;
  if (state === 'completed' && deliveries === 0) print('Nothing has happened since then that this webhook asked for.');
  else if (state === 'completed') print(`${count}.`);
  else if (state === 'running')
    print(
      `${count}. The rest follows as the webhook takes them; kassa webhook redeliveries ${webhookId} shows how far ${id} is.`,
    );
  else print(`${count}; then it ended: ${state}.`);
}

export const redeliverWebhookCommand: Command = {
  usage: 'WEBHOOK --since TIME [--json]',
  more: [
    'TIME is a date (midnight UTC) or a timestamp. Only events that the webhook asked for are sent.',
    'Of many, the progress is told. Ctrl-C does not end it: whoever delivers goes on with it.',
  ].join('\n'),
  positionals: ['WEBHOOK'],
  options: {
    since: { type: 'string', value: 'TIME', what: 'From when on, such as 2026-11-15T08:00:00Z.' },
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
      else tell(reached, webhook.url);
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
    end: { type: 'string', value: 'REDELIVERY', what: 'End this one; what it has put on the way stays there.' },
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
      else if (found.length === 0) remark('There are none.');
      else printTable(['REDELIVERY', 'STATE', 'CREATED', 'SINCE', 'EVENTS', 'ON THE WAY'], found.map(rowOf));
      return 0;
    });
  },
};
