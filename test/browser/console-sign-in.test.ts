// Goal: in a real browser a person adds a passkey, comes back with it and takes it away, sets a password and comes back
// with a code, and with a recovery code once, and every page of it can be read by everybody. Method: Chromium with a
// virtual authenticator, and an authenticator app in software; axe on every page in both themes.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { databaseNowMs } from '../../src/store/people/passwords.ts';
import { codeOf } from '../support/authenticator.ts';
import { findInLooks } from '../support/axe.ts';
import { openBrowser, openPage, PHONE } from '../support/browser.ts';
import { inviteTo, PASSWORD } from '../support/console.ts';
import { isRelease } from '../support/depth.ts';
import { openCompanySignIn } from '../support/oidc-provider.ts';
import { shareService, startService } from '../support/service.ts';
import type { SharedService } from '../support/service.ts';

describe('signing in, in a browser', () => {
  let service: SharedService;
  let browser: Browser;
  /** Passkeys are made for a name: the public address has one. */
  let site: string;
  before(async () => {
    service = shareService();
    site = service.url.replace('127.0.0.1', 'localhost');
    browser = await openBrowser();
  });
  after(async () => {
    await browser.close();
    await service.close();
  });

  const enterByLink = async (page: Page): Promise<string> => {
    const { merchant } = await service.openShop();
    const { email, link } = await inviteTo(service, merchant.id, 'admin');
    await page.goto(`${site}${new URL(link).pathname}`);
    await page.waitForURL(/\/console\/\d+\//);
    return email;
  };
  const signOut = async (page: Page): Promise<void> => {
    await page.context().clearCookies();
    await page.goto(`${site}/console/sign-in?next=${encodeURIComponent('/console/account')}`);
  };
  /** In both themes, without another load. Daily only what is not among the pages of console-pages.test.ts. */
  const lookAt = async (page: Page, isDaily = isRelease): Promise<void> => {
    if (!isDaily) return;
    assert.deepEqual(await findInLooks(page, [{ colorScheme: 'light' }, { colorScheme: 'dark' }]), [], page.url());
  };

  test('a passkey is added, signs in, proves without a word typed, and is removed after a warning', async () => {
    const page = await openPage(browser);
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
    const email = await enterByLink(page);
    await page.getByRole('link', { name: 'add a passkey or set a password' }).click();
    await page.getByLabel('Name of a new one').fill('Laptop at work');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByText('Laptop at work').waitFor();
    await lookAt(page);
    await signOut(page);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor();
    await lookAt(page);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByText('by a passkey').waitFor();
    await service.pool.query(
      `update sessions set proved_at = now() - interval '1 hour'
       where person_id = (select id from people where email = $1)`,
      [email],
    );
    await page.getByRole('link', { name: 'Set a password' }).click();
    await page.getByRole('heading', { name: 'Is it still you?' }).waitFor();
    await lookAt(page);
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.getByRole('heading', { name: 'Set a password' }).waitFor();

    await page.goto(`${site}/console/account`);
    const remove = page.getByRole('button', { name: 'Remove the passkey Laptop at work' });
    await remove.click();
    await page.getByRole('heading', { name: 'Remove your last way in?' }).waitFor();
    await page.getByRole('link', { name: 'Keep it' }).click();
    await remove.click();
    await page.getByRole('button', { name: 'Remove it all the same' }).click();
    await page.getByText('None yet. A passkey is').waitFor();

    // At an address that passkeys were not made for, the page says where they work.
    await page.goto(`${service.url}/console/sign-in`);
    await page.getByText('Passkeys work at').waitFor();
    assert.ok(await page.getByRole('button', { name: 'Sign in with a passkey' }).isHidden());
    await page.context().close();
  });

  test('a password is set with an app, and both let in, on a phone; a recovery code does, once', async () => {
    const page = await openPage(browser, PHONE);
    const email = await enterByLink(page);
    await page.goto(`${site}/console/account/password`);
    await lookAt(page);
    const secret = await page.locator('input[name=secret]').inputValue();
    const codeAt = async (stepsAway: number): Promise<string> =>
      codeOf(secret, await databaseNowMs(service.pool), stepsAway);
    await page.getByLabel('New password').fill(PASSWORD);
    await page.getByLabel('Code that the app shows now').fill(await codeAt(0));
    await page.getByRole('button', { name: 'Set password' }).click();
    await page.getByRole('heading', { name: 'Recovery codes' }).waitFor();
    const recoveryCodes = await page.locator('.recovery-codes li').allInnerTexts();
    assert.equal(recoveryCodes.length, 10);
    await lookAt(page, true);
    await page.getByRole('link', { name: 'I have kept them' }).click();
    await page.getByText('10 of 10 recovery codes').waitFor();
    await signOut(page);
    const enter = async (code: string): Promise<void> => {
      await page.getByLabel('E-mail').fill(email);
      await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
      await page.getByLabel('Code').fill(code);
      await page.getByRole('button', { name: 'Sign in with password' }).click();
    };
    await enter(await codeAt(1));
    await page.getByText('by password and code').waitFor();
    const width = await page.evaluate('document.documentElement.scrollWidth');
    assert.equal(width, PHONE.viewport?.width, 'nothing is wider than the phone');
    await signOut(page);
    await enter(recoveryCodes[0] ?? '');
    await page.getByText('9 of 10 recovery codes').waitFor();
    await signOut(page);
    await enter(recoveryCodes[0] ?? '');
    await page.getByRole('alert').filter({ hasText: 'That did not match' }).waitFor();
    await lookAt(page);
    await page.context().close();
  });

  test('the company’s own sign-in lets in, across sites, and proves anew', async () => {
    const publicUrl = (): string => own.url.replace('127.0.0.1', 'localhost');
    const company = await openCompanySignIn(() => `${publicUrl()}/console/oidc/callback`);
    const own = await startService({
      env: {
        KASSA_OIDC_ISSUER: company.issuer,
        KASSA_OIDC_CLIENT_ID: company.clientId,
        KASSA_OIDC_CLIENT_SECRET: company.clientSecret,
      },
    });
    const page = await openPage(browser);
    const { merchant } = await own.openShop();
    const { email } = await inviteTo(own, merchant.id, 'admin');
    company.be({ email, email_verified: true });
    await page.goto(`${publicUrl()}/console/account`);
    await page.getByRole('link', { name: 'Sign in with your company' }).waitFor();
    await lookAt(page);
    await page.getByRole('link', { name: 'Sign in with your company' }).click();
    await page.getByText('by your company’s sign-in').waitFor();
    await own.pool.query(`update sessions set proved_at = now() - interval '1 hour'`);
    await page.getByRole('link', { name: 'Set a password' }).click();
    await page.getByRole('link', { name: 'Sign in again with your company' }).click();
    await page.getByRole('heading', { name: 'Set a password' }).waitFor();
    await page.context().close();
    await own.stop();
    await company.close();
  });
});
