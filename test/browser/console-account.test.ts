// Goal: a person sees where they are signed in and ends it. Method: a real Chromium, and sessions beside it. Passkeys and
// recovery codes are in console-sign-in.test.ts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KASSA } from '../../src/domain/audit.ts';
import { linkPerson } from '../../src/merchants/sign-in-links.ts';
import { signIn, Visitor } from '../support/console.ts';
import { atConsole } from './at-console.ts';

const at = atConsole();

/** The same person in another browser. */
async function signInAgain(email: string): Promise<Visitor> {
  const { service } = at();
  const linked = await linkPerson(service.pool, KASSA, email);
  const visitor = new Visitor(service.url);
  const answer = await visitor.post(`/console/link/${'linkSecret' in linked ? linked.linkSecret : ''}`);
  visitor.cookie = answer.headers.getSetCookie()[0]?.replace(/;.*/, '') ?? '';
  return visitor;
}

test('sessions are listed, one is ended, then all others; signing out ends the last', async (t) => {
  const { service, site, open } = at();
  const { merchant } = await service.openShop();
  const person = await signIn(service, merchant.id, 'viewer');
  const others = [await signInAgain(person.email), await signInAgain(person.email), await signInAgain(person.email)];
  const isIn = async (visitor: Visitor): Promise<boolean> => (await visitor.ask('/console/account')).status === 200;
  const page = await open(t, person, '/console/account');
  const sessions = page.getByRole('region', { name: 'Sessions' }).getByRole('listitem');
  assert.equal(await sessions.count(), 4);
  await page
    .getByRole('button', { name: /^End the session/ })
    .first()
    .click();
  await page.waitForURL(/account$/);
  assert.equal(await sessions.count(), 3);
  assert.equal((await Promise.all(others.map(isIn))).filter(Boolean).length, 2, 'one is ended');
  await page.getByRole('button', { name: 'Sign out everywhere else' }).click();
  await page.getByRole('button', { name: 'Sign out everywhere else' }).waitFor({ state: 'detached' });
  assert.equal(await sessions.count(), 1);
  assert.equal((await Promise.all(others.map(isIn))).filter(Boolean).length, 0, 'all others are ended');
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  assert.ok(!(await isIn(person)), 'what the browser had is worth nothing');
  await page.goto(`${site}/console/${merchant.id}/payments`);
  await page.waitForURL(/\/console\/sign-in/);
});
