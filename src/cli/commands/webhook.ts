// `kassa webhook create|list|show|update|delete|rotate`: the endpoints to which a merchant's events are sent.
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
  url: { type: 'string', value: 'URL', what: 'Where to send the events: https, for a test merchant also http.' },
  events: { type: 'string', value: 'NAMES', what: "Which events, with commas between them; '*' means all." },
};

const show = (webhook: Webhook) => ({ ...presentWebhook(webhook), merchantId: webhook.merchantId });

const showEvents = (events: Webhook['events']): string => events?.join(', ') ?? 'all';

function showState({ disabled, failingSince }: Webhook): string {
  if (disabled?.reason === 'asked') return 'disabled';
  if (disabled) return `disabled (${disabled.reason})`;
  return failingSince === undefined ? 'enabled' : `enabled, failing since ${isoTime(failingSince)}`;
}

const reachIn = (config: Config) => ({ privateHooks: reachesPrivate(config) });

/** The words of an address that is refused complete "--url …", as they complete "url …" in the API. */
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
  return new UserError(`There is no webhook ${id}${whose}. kassa webhook list MERCHANT shows those there are.`);
}

export const webhookIsOff = (id: string): UserError =>
  new UserError(`Webhook ${id} is switched off; kassa webhook update ${id} --enable switches it on.`);

/** A broken connection may have broken after the commit. */
const mayBeDone = (error: unknown): boolean => isConnectionError(error) && !(error instanceof NotConnected);

/** Remarks, since it is allowed all the same. */
async function remarkDoubts(pool: Pool, webhook: Webhook): Promise<void> {
  for (const doubt of await findDoubts(pool, webhook))
    remark(
      doubt.kind === 'same_url'
        ? `Webhook ${doubt.webhookId} has the same address: what both ask for is sent there twice.`
        : `${doubt.name} and ${doubt.name}.v2 tell of the same: handle one of them, or ask for one alone.`,
    );
}

export const createWebhookCommand: Command = {
  usage: 'MERCHANT --url URL [--events NAMES] [--idempotency-key KEY] [--json]',
  more: `Without --events it gets all events, those to come too. ${LISTED_EVENTS}`,
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
    // As the API takes it, so that one key means one request wherever it is brought.
    const request = digestOf({ url, ...(events && { events }) });
    return withDatabase(config, async (pool) => {
      const merchant = await requireMerchant(pool, merchantId);
      const made = await createWebhook(pool, whoAsks(), merchant, { url, events }, reachIn(config), {
        key,
        request,
        answerOf: recordCreated,
      }).catch((error: unknown) => {
        throw mayBeDone(error) ? new UserError(`The database went away in the middle. ${showRepeatable(key)}`) : error;
      });
      if (made.kind === 'bad_url') throw explainUrl(made.why);
      if (made.kind === 'too_many')
        throw new UserError(`Merchant ${merchantId} has ${MOST_WEBHOOKS} webhooks already; delete one first.`);
      if (made.kind === 'other_request_had_key')
        throw new UserError('--idempotency-key was used with other options; a new webhook needs a new key.');
      const { text } = made.kind === 'replayed' ? made.recorded : recordCreated(made.webhook);
      const shown = { ...(JSON.parse(text) as object), merchantId };
      if (options['json']) printJson(shown);
      else {
        printFields({ ...shown, events: showEvents(events) });
        remark('The secret is shown this once: put it where your shop verifies signatures.');
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
      else if (webhooks.length === 0) remark(`There are none. kassa webhook create ${merchantId} --url URL makes one.`);
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
  if (enable === true && disable === true) throw new UserError('--enable and --disable exclude each other.');
  const enabled = enable === true ? true : disable === true ? false : undefined;
  const change = {
    ...(url !== undefined && { url }),
    ...(names !== undefined && { events: readEventNames(names) ?? null }),
    ...(enabled !== undefined && { enabled }),
  };
  if (Object.keys(change).length === 0)
    throw new UserError('Nothing was given to change. kassa help webhook update lists the options.');
  return change;
}

export const updateWebhookCommand: Command = {
  usage: 'WEBHOOK [--url URL] [--events NAMES] [--enable | --disable] [--json]',
  more: [
    'What is not named stays as it is. While it is off, what was on its way is held and nothing new is queued;',
    'once it is on again, kassa webhook redeliver WEBHOOK --since TIME brings what it missed.',
  ].join('\n'),
  positionals: ['WEBHOOK'],
  options: {
    ...SETTINGS,
    enable: { type: 'boolean', what: 'Switch it on; what failed before is forgotten.' },
    disable: { type: 'boolean', what: 'Switch it off.' },
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
      else print(`Webhook ${id} of merchant ${merchantId} is deleted: ${url} gets no more events.`);
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
        remark(`It is shown this once. The old one signs as well until ${isoTime(oldSecretUntil)}.`);
      }
      return 0;
    });
  },
};
