// Goal: a developer makes a webhook, sees what was sent to it and what came back, and sends again what was not taken, one
// event or a period, and stops it. Method: a real Chromium, and an endpoint that really receives.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { Webhook as Verifier } from 'standardwebhooks';
import { signIn } from '../support/console.ts';
import { until } from '../support/kassa.ts';
import { openReceiver } from '../support/receiver.ts';
import type { Received } from '../support/receiver.ts';
import { atConsole } from './at-console.ts';

const at = atConsole();

const EVENT = 'payment.reservation.created';
const ANSWER = '<b>The stock is being counted</b>';

const isSignedBy = (secret: string, { text, headers }: Received): boolean => {
  try {
    return Boolean(new Verifier(secret).verify(text, headers as Record<string, string>));
  } catch {
    return false;
  }
};

/** The page as it is now, until it has what is looked for. */
const untilShown = (page: Page, what: () => Promise<boolean>, name: string): Promise<unknown> =>
  until(name, async () => {
    await page.reload();
    return what();
  });

test('made, its secret shown once and rotated, tried; deliveries with tries and answers; sent again and stopped', async (t) => {
  const { service, open } = at();
  const { merchant, client } = await service.openShop();
  const receiver = await openReceiver();
  t.after(() => receiver.close());
  const developer = await signIn(service, merchant.id, 'developer');
  const page = await open(t, developer, `/console/${merchant.id}/webhooks`, { timezoneId: 'Europe/Stockholm' });

  await page.getByRole('heading', { name: 'No webhooks yet' }).waitFor();
  await page.getByLabel('Address').fill(receiver.url);
  await page.getByText('Choose some').click();
  await page.getByRole('checkbox', { name: EVENT, exact: true }).check();
  await page.getByRole('button', { name: 'Create webhook' }).click();
  const shown = page.locator('code[aria-label="Signing secret"]');
  const first = await shown.innerText();
  await page.goto(`${at().site}/console/${merchant.id}/webhooks`);
  assert.ok(!(await page.content()).includes(first), 'it is seen once');
  await page.getByRole('link', { name: receiver.url }).click();
  await page.getByRole('heading', { name: receiver.url }).waitFor();
  assert.ok(!(await page.content()).includes(first), 'nor is it on its own page');

  await page.getByText('New secret', { exact: true }).click();
  await page.getByText('The secret it has now signs as well for a day.').waitFor();
  await page.getByRole('button', { name: 'Make a new secret' }).click();
  await page.getByText('The secret before signs as well until').waitFor();
  const second = await shown.innerText();
  await page.getByRole('button', { name: 'Send a test event' }).click();
  await page.getByRole('status').filter({ hasText: 'Test event: 200, after' }).waitFor();
  const [tested] = await receiver.until(1);
  assert.deepEqual(
    [first, second].map((secret) => isSignedBy(secret, tested as Received)),
    [true, true],
  );

  const own = page.url().replace(/\?.*/, '');
  receiver.react((response) => response.writeHead(503).end(ANSWER));
  await client.createReserved();
  await receiver.until(2);
  await page.goto(own);
  const row = page.getByRole('row', { name: new RegExp(EVENT) });
  // A slow machine may have tried it again by now.
  const tries = row.getByText(/\d+ tr(?:y|ies)/);
  await untilShown(page, () => tries.isVisible(), 'the first try to be written down');
  assert.match(await row.innerText(), /On the way/);
  await tries.click();
  assert.match(await row.locator('.attempts').innerText(), /\b503\b[^]*<b>The stock is being counted<\/b>/);
  assert.equal(await row.locator('b').count(), 0, 'what was answered is text');

  receiver.react(200);
  // A page that is on its way cannot be reloaded.
  await Promise.all([page.waitForEvent('load'), row.getByRole('button', { name: 'Send again' }).click()]);
  await receiver.until(3);
  await untilShown(page, () => row.getByText('Delivered').isVisible(), 'it to be delivered');
  await page.getByRole('link', { name: 'Failed' }).click();
  await page.getByText('Nothing here.').waitFor();

  await page.getByLabel('From Europe/Stockholm', { exact: true }).fill('2024-01-02T00:00');
  await page.getByLabel('Until').fill('2024-01-01T00:00');
  await page.getByRole('button', { name: 'Send again', exact: true }).last().click();
  await page.getByRole('alert').filter({ hasText: 'The end is before the beginning.' }).waitFor();
  assert.equal(await page.getByLabel('Until').inputValue(), '2024-01-01T00:00', 'what was typed is still there');
  await page.getByLabel('Until').fill('');

  await page.getByLabel('From').fill('2024-01-01T00:00');
  await page.getByRole('checkbox', { name: 'Only what it has not taken' }).uncheck();
  await page.getByRole('button', { name: 'Send again', exact: true }).last().click();
  const resends = page.locator('.redeliveries');
  await resends.getByText('completed').waitFor();
  await receiver.until(4);
  assert.match(await resends.innerText(), /(\d+) of \1 events looked at, 1 on the way/);

  // What was typed is a time of the viewer's zone; what it came to is told with the exact one.
  const [{ since } = { since: new Date(0) }] = await service.pool.query<{ since: Date }>(
    'select since from redeliveries where merchant_id = $1',
    [merchant.id],
  );
  assert.equal(since.toISOString(), '2023-12-31T23:00:00.000Z');
  assert.match(await resends.innerText(), /1 Jan 2024, 00:00 Europe\/Stockholm \(31 Dec 2023, 23:00 UTC\)/);

  // As if it were a long one: the page follows it by itself, and it is stopped.
  await service.pool.query(
    `update redeliveries set state = 'running', ended_at = null, next_step_at = now() + interval '1 hour',
       event_count = 2, last_position = first_position + 4000
     where merchant_id = $1`,
    [merchant.id],
  );
  await page.clock.install();
  // What is told this once is not wiped away by itself.
  await page.getByRole('button', { name: 'Send a test event' }).click();
  await resends.getByText('2 of 4,000 events looked at').waitFor();
  await page.evaluate(`addEventListener('beforeunload', () => document.title = 'left')`);
  await page.clock.fastForward(10_000);
  assert.notEqual(await page.title(), 'left');
  await page.goto(own);
  await resends.getByText('2 of 4,000 events looked at').waitFor();
  await service.pool.query('update redeliveries set event_count = 3000 where merchant_id = $1', [merchant.id]);
  await page.clock.fastForward(2_500);
  await resends.getByText('3,000 of 4,000 events looked at').waitFor();
  assert.equal(await resends.locator('progress').getAttribute('value'), '3000');
  await resends.getByRole('button', { name: 'Stop' }).click();
  await resends.getByText('cancelled').waitFor();
  assert.equal(await resends.getByRole('button', { name: 'Stop' }).count(), 0);
  const pings = receiver.received.filter(({ body }) => body.event === 'webhook.ping');
  assert.equal(pings.length, 2, 'the second test event was sent once');
});
