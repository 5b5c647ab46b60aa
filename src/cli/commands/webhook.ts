// `kassa webhook create|list|show|update|delete|rotate`: the endpoints that a merchant's events are sent to.
import { reachesPrivate } from '../../config/reach.ts';
import type { Config } from '../../config.ts';
import { digestOf } from '../../server/body.ts';
import { presentWebhook, recordCreated } from '../../api/webhook-presenter.ts';
import { changeWebhook, createWebhook, deleteWebhook, findDoubts, rotateSecret } from '../../merchants/webhooks.ts';
import { isConnectionError, NotConnected } from '../../store/connections/pool.ts';
import type { Pool } from '../../store/connections/pool.ts';
import { findWebhook, listWebhooks, MOST_WEBHOOKS } from '../../store/events/webhooks.ts';
import type { Webhook, WebhookChange } from '../../store/events/webhooks.ts';
import { isoTime } from '../../domain/time.ts';
import { print, remark } from '../../ops/print.ts';
import { UserError } from '../../ops/user-error.ts';
import { JSON_OPTION, printFields, printJson, printTable } from '../terminal/command.ts';
import type { Command, Option, Options } from '../terminal/command.ts';
import { DONE_BEFORE, KEY_OPTION, readIdempotencyKey, showRepeatable } from '../terminal/idempotency-key.ts';
import { withDatabase } from '../../start/database.ts';
import { LISTED_EVENTS, readEventNames, readIdArgument } from './event-arguments.ts';
import { MAYBE_MERCHANT, MAYBE_MERCHANT_TEXT, merchantIn, readMerchantId, requireMerchant } from './which-merchant.ts';
import { whoAsks } from './who.ts';

const SETTINGS: Readonly<Record<'url' | 'events', Option>> = {
  url: { type: 'string', value: 'URL', what: 'Address to send the events to: https or, for a test merchant, http.' },
  events: { type: 'string', value: 'NAMES', what: "Events, separated by commas; '*' means all." },
};

const show = (webhook: Webhook) => ({ ...presentWebhook(webhook), merchantId: webhook.merchantId });

const showEvents = (events: Webhook['events']): string => events?.join(', ') ?? 'all';

function showState({ disabled, failingSince }: Webhook): string {
  if (disabled?.reason === 'asked') return 'disabled';
  if (disabled) return `disabled (${disabled.reason})`;
  return failingSince === undefined ? 'enabled' : `enabled, failing since ${isoTime(failingSince)}`;
}

const reachIn = (config: Config) => ({ privateHooks: reachesPrivate(config) });

/** The fault completes "--url …", as it completes "url …" in the API. */
const explainUrl = (why: string): UserError => new UserError(`--url ${why}.`);

export const readWebhookId = (positionals: readonly string[]): string =>
  readIdArgument(positionals[0] ?? '', 'WEBHOOK', 'webhook');

export async function requireWebhook(pool: Pool, id: string, merchantId?: number): Promise<Webhook> {
  const webhook = await findWebhook(pool, id, merchantId);
  if (webhook === undefined) throw noWebhook(id, merchantId);
  return webhook;
}

export function noWebhook(id: string, merchantId?: number): UserError {
  const whose = merchantId === undefined ? '' : ` of merchant ${merchantId}`;
  return new UserError(`There is no webhook ${id}${whose}. kassa webhook list MERCHANT shows all.`);
}

export const webhookIsOff = (id: string): UserError =>
  new UserError(`Webhook ${id} is disabled; kassa webhook update ${id} --enable enables it.`);

/** A connection may break after the commit. */
const mayBeDone = (error: unknown): boolean => isConnectionError(error) && !(error instanceof NotConnected);

/** Warns about what is allowed but probably a mistake. */
async function remarkDoubts(pool: Pool, webhook: Webhook): Promise<void> {
  for (const doubt of await findDoubts(pool, webhook))
    remark(
      doubt.kind === 'same_url'
        ? `Webhook ${doubt.webhookId} has the same address: events that both subscribe to are sent there twice.`
        : `${doubt.name} and ${doubt.name}.v2 report the same thing: subscribe to only one of them, or ignore one.`,
    );
}

export const createWebhookCommand: Command = {
  usage: 'MERCHANT --url URL [--events NAMES] [--idempotency-key KEY] [--json]',
  more: `Without --events it gets all events, including those of future versions. ${LISTED_EVENTS}`,
  positionals: ['MERCHANT'],
  options: { ...SETTINGS, 'idempotency-key': KEY_OPTION, json: JSON_OPTION },
  run: ({ config, options, positionals }) => {
    const merchantId = readMerchantId(positionals[0]);
    const { url, events: names } = options as { url?: string; events?: string };
    if (url === undefined)
      throw new UserError(
        `--url is missing, for example: kassa webhook create ${merchantId} --url https://shop.example/events`,
      );
    const events = readEventNames(names);
    const key = readIdempotencyKey(options);
    // The digest of the API request, so that a key means the same request here and there.
    const request = digestOf({ url, ...(events && { events }) });
    return withDatabase(config, async (pool) => {
      const merchant = await requireMerchant(pool, merchantId);
      const made = await createWebhook(pool, whoAsks(), merchant, { url, events }, reachIn(config), {
        key,
        request,
        answerOf: recordCreated,
      }).catch((error: unknown) => {
        throw mayBeDone(error)
          ? new UserError(`The connection to the database was lost. ${showRepeatable(key)}`)
          : error;
      });
      if (made.kind === 'bad_url') throw explainUrl(made.why);
      if (made.kind === 'too_many')
        throw new UserError(`Merchant ${merchantId} already has ${MOST_WEBHOOKS} webhooks; delete one first.`);
      if (made.kind === 'other_request_had_key')
        throw new UserError('--idempotency-key was used with other options; use a new key for a new webhook.');
      const { text } = made.kind === 'replayed' ? made.recorded : recordCreated(made.webhook);
      const shown = { ...(JSON.parse(text) as object), merchantId };
      if (options['json']) printJson(shown);
      else {
        printFields({ ...shown, events: showEvents(events) });
        remark('The secret is shown only once: your shop needs it to verify signatures.');
      }
      if (made.kind === 'replayed') remark(DONE_BEFORE);
      else await remarkDoubts(pool, made.webhook);
      return 0;
    });
  },
};

export const listWebhooksCommand: Command = {
  usage: '[MERCHANT] [--json]',
  more: MAYBE_MERCHANT_TEXT,
  positionals: [MAYBE_MERCHANT],
  options: { json: JSON_OPTION },
  run: ({ config, options, positionals }) => {
    const merchant = merchantIn(positionals);
    return withDatabase(config, async (pool) => {
      const { id: merchantId } = await merchant(pool);
      const webhooks = await listWebhooks(pool, merchantId);
      if (options['json']) printJson(webhooks.map(show));
      else if (webhooks.length === 0)
        remark(`No webhooks found. kassa webhook create ${merchantId} --url URL creates one.`);
      else
        printTable(
          ['WEBHOOK', 'STATE', 'URL', 'EVENTS'],
          webhooks.map((webhook) => [webhook.id, showState(webhook), webhook.url, showEvents(webhook.events)]),
        );
      return 0;
    });
  },
};

export const showWebhookCommand: Command = {
  usage: 'WEBHOOK [--json]',
  positionals: ['WEBHOOK'],
  options: { json: JSON_OPTION },
  run: ({ config, options, positionals }) => {
    const id = readWebhookId(positionals);
    return withDatabase(config, async (pool) => {
      const webhook = await requireWebhook(pool, id);
      if (options['json']) printJson(show(webhook));
      else printFields({ ...show(webhook), events: showEvents(webhook.events) });
      return 0;
    });
  },
};

function readChange(options: Options): WebhookChange {
  const { url, events: names, enable, disable } = options as { url?: string; events?: string } & Options;
  if (enable === true && disable === true) throw new UserError('--enable and --disable cannot be combined.');
  const enabled = enable === true ? true : disable === true ? false : undefined;
  const change = {
    ...(url !== undefined && { url }),
    ...(names !== undefined && { events: readEventNames(names) ?? null }),
    ...(enabled !== undefined && { enabled }),
  };
  if (Object.keys(change).length === 0)
    throw new UserError('Nothing to change. kassa help webhook update lists the options.');
  return change;
}

export const updateWebhookCommand: Command = {
  usage: 'WEBHOOK [--url URL] [--events NAMES] [--enable | --disable] [--json]',
  more: [
    'Changes only the given settings. While a webhook is disabled, its pending deliveries are held and new events are not',
    'queued; afterwards, kassa webhook redeliver WEBHOOK --since TIME sends the missed events.',
  ].join('\n'),
  positionals: ['WEBHOOK'],
  options: {
    ...SETTINGS,
    enable: { type: 'boolean', what: 'Enable it, and clear its record of failures.' },
    disable: { type: 'boolean', what: 'Disable it.' },
    json: JSON_OPTION,
  },
  run: ({ config, options, positionals }) => {
    const id = readWebhookId(positionals);
    const change = readChange(options);
    return withDatabase(config, async (pool) => {
      const { merchantId } = await requireWebhook(pool, id);
      const merchant = await requireMerchant(pool, merchantId);
      const changed = await changeWebhook(pool, whoAsks(), merchant, id, change, reachIn(config));
      if (changed.kind === 'bad_url') throw explainUrl(changed.why);
      if (changed.kind === 'not_found') throw noWebhook(id);
      const { webhook } = changed;
      if (options['json']) printJson(show(webhook));
      else printFields({ ...show(webhook), events: showEvents(webhook.events) });
      await remarkDoubts(pool, webhook);
      return 0;
    });
  },
};

export const deleteWebhookCommand: Command = {
  usage: 'WEBHOOK [--json]',
  positionals: ['WEBHOOK'],
  options: { json: JSON_OPTION },
  run: ({ config, options, positionals }) => {
    const id = readWebhookId(positionals);
    return withDatabase(config, async (pool) => {
      const { merchantId, url } = await requireWebhook(pool, id);
      const merchant = await requireMerchant(pool, merchantId);
      if ((await deleteWebhook(pool, whoAsks(), merchant, id)).kind === 'not_found') throw noWebhook(id);
      if (options['json']) printJson({ webhookId: id, merchantId, deleted: true });
      else print(`Deleted webhook ${id} of merchant ${merchantId}: ${url} gets no more events.`);
      return 0;
    });
  },
};

export const rotateWebhookCommand: Command = {
  usage: 'WEBHOOK [--json]',
  positionals: ['WEBHOOK'],
  options: { json: JSON_OPTION },
  run: ({ config, options, positionals }) => {
    const id = readWebhookId(positionals);
    return withDatabase(config, async (pool) => {
      const { merchantId } = await requireWebhook(pool, id);
      const rotated = await rotateSecret(pool, whoAsks(), await requireMerchant(pool, merchantId), id);
      if (rotated.kind === 'not_found') throw noWebhook(id);
      const { secret, oldSecretUntil = 0 } = rotated.webhook;
      if (options['json']) printJson({ webhookId: id, secret, oldSecretUntil: isoTime(oldSecretUntil) });
      else {
        print(secret);
        remark(`This secret is shown only once. The old one also signs until ${isoTime(oldSecretUntil)}.`);
      }
      return 0;
    });
  },
};
