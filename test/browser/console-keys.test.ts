// Goal: a key that a person makes in the console may do what was chosen for it and nothing else, is seen once, and is over
// once it is revoked. Method: a real Chromium, and the key itself at the API.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listKeys } from '../../src/store/merchants/keys.ts';
import { aCreate } from '../support/client.ts';
import { signIn } from '../support/console.ts';
import { atConsole } from './at-console.ts';

const at = atConsole();

test('a key with scopes and an end: shown once, allowed and refused by scope, revoked', async (t) => {
  const { service, open } = at();
  const { merchant, client } = await service.openShop();
  const paymentId = await client.create();
  const admin = await signIn(service, merchant.id, 'admin');
  const page = await open(t, admin, `/console/${merchant.id}/keys`);
  await page.getByLabel('Name').fill('Bookkeeping');
  await page.getByRole('checkbox', { name: /^create and change payments/ }).uncheck();
  await page.getByRole('checkbox', { name: /^make, change and delete webhooks/ }).uncheck();
  await page.getByLabel('Lasts').selectOption('30 days');
  await page.getByRole('button', { name: 'Create key' }).dblclick();
  const secret = await page.locator('code[aria-label="Secret key"]').innerText();
  const row = page.getByRole('row', { name: /Bookkeeping/ });
  assert.match(await row.innerText(), /Bookkeeping\s+Active[^]*\bread\b[^]*Not yet/);
  const ends = await row.locator('time').last().getAttribute('datetime');
  assert.equal(Math.round((Date.parse(ends ?? '') - Date.now()) / 86_400_000), 30);
  assert.equal(new URL(page.url()).pathname, `/console/${merchant.id}/keys`);
  await page.reload();
  await row.waitFor();
  assert.ok(!(await page.content()).includes(secret), 'it is seen once');
  assert.equal((await listKeys(service.pool, merchant.id)).length, 2, 'and made once');

  const holder = service.client(secret);
  assert.equal((await holder.get(`/v1/payments/${paymentId}`)).status, 200);
  assert.equal((await holder.post('/v1/payments', aCreate())).status, 403);
  assert.equal((await holder.post(`/v1/payments/${paymentId}/charges`, { amount: 1 })).status, 403);
  assert.equal((await holder.post('/v1/webhooks', { url: 'https://shop.example/hook' })).status, 403);

  // What is asked a second time can be left again, by keyboard, without losing one's place.
  const revoke = row.getByText('Revoke', { exact: true });
  await revoke.press('Enter');
  await row.getByRole('button', { name: 'Revoke Bookkeeping' }).waitFor();
  await page.keyboard.press('Escape');
  await row.getByRole('button', { name: 'Revoke Bookkeeping' }).waitFor({ state: 'hidden' });
  await revoke.and(page.locator(':focus')).waitFor();
  await revoke.click();
  await row.getByRole('button', { name: 'Revoke Bookkeeping' }).click();
  await row.getByText('Revoked', { exact: true }).waitFor();
  assert.equal(await row.getByText('Revoke', { exact: true }).count(), 0);
  assert.equal((await holder.get(`/v1/payments/${paymentId}`)).status, 401);
});

test('a developer is not offered a key that moves money, and a key without a scope is refused with what was typed', async (t) => {
  const { service, open } = at();
  const { merchant } = await service.openShop();
  const page = await open(t, await signIn(service, merchant.id, 'developer'), `/console/${merchant.id}/keys`);
  assert.equal(await page.getByRole('checkbox', { name: /payments; charge, refund and cancel/ }).count(), 0);
  for (const scope of await page.getByRole('checkbox').all()) await scope.uncheck();
  await page.getByLabel('Name').fill('Of no use');
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByRole('alert').filter({ hasText: 'Choose what the key may be used for.' }).waitFor();
  assert.equal(await page.getByLabel('Name').inputValue(), 'Of no use');
  assert.equal((await listKeys(service.pool, merchant.id)).length, 1, 'the shop has its first key alone');
});
