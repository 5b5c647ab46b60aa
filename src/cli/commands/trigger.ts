// `kassa trigger`: triggers an event. Nothing is faked: it takes a payment through the API with the right test card, and
// prints each step.
import type { EventName } from '../../domain/decision.ts';
import { API_OPTIONS, openApi } from '../api/client.ts';
import type { Api } from '../api/client.ts';
import { alignRows, print, remark } from '../../ops/print.ts';
import { UserError } from '../../ops/user-error.ts';
import { JSON_OPTION, printJson } from '../terminal/command.ts';
import type { Command, Options } from '../terminal/command.ts';
import { LISTED_EVENTS, readEventName } from './event-arguments.ts';
import { SCENARIOS } from '../api/event-scenarios.ts';
import { runScenario } from '../api/payment-scenario.ts';
import type { Step } from '../api/payment-scenario.ts';
import { endSubscription, replaceCard } from '../api/subscription-scenario.ts';

import { disableWebhook } from '../api/webhook-scenario.ts';

const MOST_AT_ONCE = 1_000;

function readCount({ count = '1' }: Options): number {
  const number = Number(count);
  if (!/^\d{1,4}$/.test(String(count)) || number < 1 || number > MOST_AT_ONCE)
    throw new UserError(`--count is ${String(count)}; it must be a number from 1 to ${MOST_AT_ONCE}.`);
  return number;
}

const showSteps = (steps: readonly Step[]): string =>
  alignRows(steps.map(({ request, status, what }) => [`  ${request}`, String(status), what]));

type Triggered = {
  readonly paymentId?: string;
  readonly webhookId?: string;
  readonly subscriptionId?: string;
  readonly steps: readonly Step[];
  readonly events: readonly string[];
};

async function trigger(api: Api, name: EventName): Promise<Triggered> {
  if (name === 'webhook.disabled') return { ...(await disableWebhook(api)), events: [name] };
  if (name === 'subscription.ended') return { ...(await endSubscription(api)), events: [name] };
  return name === 'subscription.card.replaced' ? replaceCard(api) : runScenario(api, SCENARIOS[name], name);
}

function show({ paymentId, webhookId, subscriptionId, steps, events }: Triggered): string {
  const other = subscriptionId === undefined ? `Webhook ${webhookId}` : `Subscription ${subscriptionId}`;
  const subject = paymentId === undefined ? other : `Payment ${paymentId}`;
  return `${subject}\n${showSteps(steps)}\n  Events: ${events.join(', ')}`;
}

export const triggerCommand: Command = {
  usage: 'EVENT [--count N] [--json] [--url KASSA] [--key SECRET_KEY]',
  more: LISTED_EVENTS,
  positionals: ['EVENT'],
  options: {
    count: { type: 'string', value: 'N', what: 'How many times, one after another. Default: once.' },
    json: { ...JSON_OPTION, what: 'Print JSON: a list of the steps.' },
    ...API_OPTIONS,
  },
  run: async ({ config, options, positionals }) => {
    const name = readEventName(positionals[0] ?? '');
    const count = readCount(options);
    const api = await openApi(config, options);
    const triggered: Triggered[] = [];
    for (let done = 0; done < count; done += 1) {
      const one = await trigger(api, name);
      if (options['json']) triggered.push(one);
      else print(show(one));
    }
    if (options['json']) printJson(triggered);
    if (process.stderr.isTTY) remark('kassa listen forwards such events to your machine; GET /v1/events lists them.');
    return 0;
  },
};
