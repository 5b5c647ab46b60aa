// Goal: an admin lets people in with a fresh proof, changes what they may do, and takes it away, and each sees what their
// role allows and nothing else; settings are changed, and all of it is in the audit. Method: a real Chromium with several
// people in it, one of them with a link that the page shows.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { codeNow, setPassword, signIn } from '../support/console.ts';
import { atConsole } from './at-console.ts';

const at = atConsole();

const pagesOf = (page: Page): Promise<string[]> =>
  page
    .getByRole('navigation', { name: 'Console' })
    .getByRole('link')
    .allInnerTexts()
    .then((texts) => texts.map((text) => text.trim()));

const FOR_ALL = ['Overview', 'Payments', 'Sandbox', 'Settings'];

test('invited after a proof, let in by the link, another role, removed; each sees its pages; the audit has it all', async (t) => {
  const { service, site, open } = at();
  const { merchant } = await service.openShop();
  const home = `/console/${merchant.id}`;
  const admin = await signIn(service, merchant.id, 'admin');
  const { secret } = await setPassword(service, admin);
  await service.pool.query(
    `update sessions set proved_at = now() - interval '1 hour'
     where person_id = (select id from people where email = $1)`,
    [admin.email],
  );
  const page = await open(t, admin, `${home}/team`);
  const email = `colleague-${merchant.id}@example.test`;
  const invite = async (): Promise<void> => {
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Role', { exact: true }).selectOption('operator');
    await page.getByRole('button', { name: 'Invite' }).click();
  };
  await invite();
  await page.getByRole('heading', { name: 'Is it still you?' }).waitFor();
  await page.getByText('What you entered is kept').waitFor();
  await page.getByLabel('Code').fill(await codeNow(service, secret));
  await page.getByRole('button', { name: 'Use this code' }).click();
  // What was typed is sent on by itself.
  await page.getByRole('heading', { name: 'Team' }).waitFor();
  const link = await page.locator('code[aria-label="Sign-in link"]').innerText();
  await page.goto(`${site}${home}/team`);
  assert.ok(!(await page.content()).includes(link), 'it is seen once');

  const theirs = await open(t, undefined, new URL(link).pathname);
  await theirs.waitForURL(/\/payments$/);
  assert.deepEqual(await pagesOf(theirs), FOR_ALL);
  await theirs.goto(`${site}${home}/settings`);
  assert.equal(await theirs.getByRole('button', { name: 'Save' }).count(), 0);
  for (const hidden of ['team', 'keys', 'webhooks', 'requests', 'audit']) {
    const answer = await theirs.request.get(`${site}${home}/${hidden}`);
    assert.equal(answer.status(), 404, hidden);
  }

  const row = page.getByRole('row', { name: new RegExp(email) });
  await row.getByLabel(`Role of ${email}`).selectOption('developer');
  await row.getByRole('button', { name: 'Save' }).click();
  await page.waitForURL(/\/team$/);
  await theirs.goto(`${site}${home}/keys`);
  const forDevelopers = ['Overview', 'Payments', 'Webhooks', 'Keys', 'Requests', 'Sandbox', 'Settings'];
  assert.deepEqual(await pagesOf(theirs), forDevelopers);

  await page
    .getByRole('row', { name: new RegExp(admin.email) })
    .getByLabel(`Role of ${admin.email}`)
    .selectOption('viewer');
  await page
    .getByRole('row', { name: new RegExp(admin.email) })
    .getByRole('button', { name: 'Save' })
    .click();
  await page.getByRole('alert').filter({ hasText: 'This is the last admin' }).waitFor();

  await row.getByText('Remove', { exact: true }).click();
  await row.getByRole('button', { name: `Remove ${email}` }).click();
  await row.waitFor({ state: 'detached' });
  await theirs.goto(`${site}${home}/payments`);
  assert.match(theirs.url(), /\/console\/sign-in\?/, 'who belongs nowhere is out at once');

  await page.goto(`${site}${home}/settings`);
  const [name, colour] = [page.getByLabel('Name'), page.getByLabel('Colour', { exact: true })];
  await name.fill('Havtorn & Salt');
  await colour.fill('#12');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('alert').filter({ hasText: 'six hex digits' }).waitFor();
  assert.equal(await colour.getAttribute('aria-invalid'), 'true', 'the field is marked');
  assert.deepEqual(
    [await name.inputValue(), await colour.inputValue()],
    ['Havtorn & Salt', '#12'],
    'nothing typed is lost',
  );
  await page.getByLabel('Choose a colour').fill('#7a3d0c');
  assert.equal(await colour.inputValue(), '#7a3d0c', 'what is picked is written');
  await colour.fill('7C2D92');
  await page.getByRole('checkbox', { name: 'Strict items' }).check();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.locator('p.merchant').filter({ hasText: 'Havtorn & Salt' }).waitFor();
  assert.equal(await colour.inputValue(), '#7c2d92');
  assert.ok(await page.getByRole('checkbox', { name: 'Strict items' }).isChecked());

  await page.getByRole('link', { name: 'Audit' }).click();
  const titles = (): Promise<string[]> => page.locator('table.audit td strong').allInnerTexts();
  await page.getByRole('heading', { name: 'Audit' }).waitFor();
  for (const title of ['Changed settings', 'Removed a person', 'Changed a role', 'Invited a person'])
    assert.ok((await titles()).includes(title), title);
  await page.getByLabel('What', { exact: true }).selectOption('Changed settings');
  await page.getByLabel('Who', { exact: true }).selectOption(admin.email);
  await page.getByRole('button', { name: 'Show' }).click();
  await page.waitForURL(/action=merchant\.change/);
  assert.deepEqual(await titles(), ['Changed settings']);
  assert.match(await page.locator('table.audit dl').innerText(), /Name\s+Test shop → Havtorn & Salt/);
});

test('what a role may not do is not offered at a payment', async () => {
  const { service } = at();
  const { merchant, client } = await service.openShop();
  const path = `/console/${merchant.id}/payments/${await client.createReserved()}`;
  for (const [role, acts] of [
    ['viewer', []],
    ['developer', []],
    ['operator', ['charge', 'cancel']],
    ['admin', ['charge', 'cancel', 'erase']],
  ] as const) {
    const visitor = await signIn(service, merchant.id, role);
    const page = await (await visitor.ask(path)).text();
    const offered = Array.from(page.matchAll(new RegExp(`href="${path}/([a-z]+)"`, 'g')), ([, act]) => act);
    assert.deepEqual(offered, acts, role);
    if (acts.length === 0) assert.equal((await visitor.ask(`${path}/charge`)).status, 403, role);
  }
});
