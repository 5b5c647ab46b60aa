// Goal: a person sees where they are signed in and ends it, adds a passkey and takes it away again, and comes in with a
// recovery code once. Method: a real Chromium with a virtual authenticator, and a second session beside it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KASSA } from '../../src/domain/audit.ts';
import { linkPerson } from '../../src/merchants/people.ts';
import { PASSWORD, setPassword, signIn, Visitor } from '../support/console.ts';
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

test('a passkey is added by the device and removed again, with a word before the last way in goes', async (t) => {
  const { service, open } = at();
  const { merchant } = await service.openShop();
  const page = await open(t, await signIn(service, merchant.id, 'admin'), '/console/account');
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await page.getByLabel('Name of a new one').fill('Phone');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  const remove = page.getByRole('button', { name: 'Remove the passkey Phone' });
  await remove.click();
  await page.getByRole('heading', { name: 'Remove your last way in?' }).waitFor();
  await page.getByRole('link', { name: 'Keep it' }).click();
  await remove.click();
  await page.getByRole('button', { name: 'Remove it all the same' }).click();
  await page.getByText('None yet. A passkey is').waitFor();
});

test('a recovery code stands in for the app, once', async (t) => {
  const { service, open } = at();
  const { merchant } = await service.openShop();
  const person = await signIn(service, merchant.id, 'viewer');
  const { recoveryCodes } = await setPassword(service, person);
  const page = await open(t, undefined, '/console/sign-in?next=/console/account');
  const enter = async (): Promise<void> => {
    await page.getByLabel('E-mail').fill(person.email);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByLabel('Code').fill(recoveryCodes[0] ?? '');
    await page.getByRole('button', { name: 'Sign in with password' }).click();
  };
  await enter();
  await page.getByText('9 of 10 recovery codes').waitFor();
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await enter();
  await page.getByRole('alert').filter({ hasText: 'That did not match' }).waitFor();
});
