// Triggers webhook.disabled: creates a webhook at a local address that responds with 410, sends it an event, and deletes it
// afterwards.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { DEFAULT_CARD } from '../../acquirers/test-cards.ts';
import type { Api } from './client.ts';
import { UserError } from '../../ops/user-error.ts';
import { runScenario } from './payment-scenario.ts';
import type { Step } from './payment-scenario.ts';

const GONE = 410;
const TRIES = 75;
const EVERY_MS = 200;

type Disabled = { readonly webhookId: string; readonly steps: readonly Step[] };

async function awaitDisabled(api: Api, webhookId: string): Promise<void> {
  for (let tries = 1; tries <= TRIES; tries += 1) {
    const answer = await api.send('GET', `/v1/webhooks/${webhookId}`);
    if (answer.status !== 200) throw api.explain(answer);
    if (answer.body.state === 'disabled') return;
    await sleep(EVERY_MS);
  }
  throw new UserError(`Kassa at ${api.url} could not reach this machine, so the webhook was not disabled.`);
}

export async function disableWebhook(api: Api): Promise<Disabled> {
  const server = createServer((_request, response) => response.writeHead(GONE).end());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/gone`;
  try {
    const made = await api.send('POST', '/v1/webhooks', { url, events: ['payment.created'] });
    const webhookId = made.body?.webhookId as string | undefined;
    if (made.status !== 201 || webhookId === undefined) throw api.explain(made);
    const path = `/v1/webhooks/${webhookId}`;
    try {
      const { steps } = await runScenario(api, { card: DEFAULT_CARD, moves: [] }, 'payment.created');
      await awaitDisabled(api, webhookId);
      const before = { request: 'POST /v1/webhooks', status: made.status, what: `created, for ${url}` };
      const after = { request: `GET ${path}`, status: 200, what: 'disabled, since its address responded with 410' };
      return { webhookId, steps: [before, ...steps, after] };
    } finally {
      await api.send('DELETE', path);
    }
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
