// Every page of the console in the states that look different, and how each is reached in a real browser: one list for all
// who look at all of them, whether for accessibility or for pictures.
import type { Page } from 'playwright-core';
import type { ConsoleWorld } from './console-world.ts';

type Who = 'admin' | 'viewer' | 'operator' | 'stale' | 'weak' | 'nobody';

export type ConsoleState = {
  readonly name: string;
  readonly who: Who;
  readonly path: (world: ConsoleWorld) => string;
  /** What it opens lies over other controls for a while, and leaves less of them to touch. */
  readonly isCovering?: true;
  /** What is done once the page is there. */
  readonly act?: (page: Page, world: ConsoleWorld) => Promise<void>;
};

const home = ({ shop }: ConsoleWorld, path: string): string => `/console/${shop.merchant.id}/${path}`;

type Act = ConsoleState['act'];

function at(name: string, path: string | ((world: ConsoleWorld) => string), act?: Act, who: Who = 'admin') {
  const full = typeof path === 'string' ? (world: ConsoleWorld): string => home(world, path) : path;
  return { name, who, path: full, ...(act && { act }) };
}

const press =
  (name: string | RegExp): NonNullable<Act> =>
  (page) =>
    page.getByRole('button', { name }).click();

/** A summary, by its words. */
const unfold =
  (words: string): NonNullable<Act> =>
  (page) =>
    page.locator('summary', { hasText: words }).first().click();

const ofEmpty = (path: string) => (world: ConsoleWorld) => `/console/${world.emptyShop.merchant.id}/${path}`;
const ofPayment =
  (path = '') =>
  (world: ConsoleWorld) =>
    home(world, `payments/${world.paymentId}${path}`);
const ofOpen =
  (path = '') =>
  (world: ConsoleWorld) =>
    home(world, `payments/${world.openId}${path}`);
const ofWebhook = (world: ConsoleWorld) => home(world, `webhooks/${world.webhookId}`);

export const CONSOLE_STATES: readonly ConsoleState[] = [
  at(
    'sign-in',
    () => '/console/sign-in',
    // Where nobody has a way in yet, the page says how to get one without being asked.
    async (page) => {
      for (const summary of await page.locator('summary', { hasText: 'No way in yet' }).all()) await summary.click();
    },
    'nobody',
  ),
  at(
    'sign-in-refused',
    () => '/console/sign-in',
    async (page) => {
      await page.getByLabel('E-mail').fill('nobody@example.test');
      await page.getByLabel('Password', { exact: true }).fill('otter lamp violin frost');
      await page.getByLabel('Code').fill('000000');
      await page.getByRole('button', { name: 'Sign in with password' }).click();
      await page.getByRole('alert').filter({ hasText: /\w/ }).waitFor();
    },
    'nobody',
  ),
  at('lost-link', () => '/console/link/used-up', undefined, 'nobody'),
  at('not-here', () => '/console/1/payments'),

  at('payments', 'payments'),
  at('payments-export', 'payments', unfold('Export')),
  at('payments-narrowed', 'payments?q=2026-10403&state=charged&from=2024-02-02T23:30Z&least=1', unfold('Filter')),
  at('payments-save-view', 'payments?state=reserved', unfold('Save view')),
  at('payments-none-found', 'payments?q=nobody@example.test&most=abc'),
  at('payments-empty', ofEmpty('payments')),
  {
    ...at('merchants', 'payments', (page) => page.locator('details.merchant > summary').click()),
    isCovering: true,
  },
  at('palette', 'payments', async (page) => {
    await page.keyboard.press('ControlOrMeta+k');
    await page.getByRole('combobox', { name: 'Go to a page, or find a payment' }).fill('a');
  }),

  at('payment', ofPayment(), async (page) => {
    for (const summary of await page.locator('details.told > summary').all()) await summary.click();
  }),
  at('payment-raw', ofPayment(), unfold('Raw')),
  at('payment-unpaid', ofOpen()),
  at('charge', ofPayment('/charge')),
  at('charge-items', ofPayment('/charge'), async (page) => {
    await page.getByRole('radio', { name: 'Items' }).check();
    await page.getByLabel(/^Stoneware/).fill('9');
  }),
  at('charge-sure', ofPayment('/charge'), async (page) => {
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: /^Charge / }).waitFor();
  }),
  at('refund', ofPayment('/refund')),
  at('cancel', ofPayment('/cancel'), (page) => page.getByRole('radio', { name: 'An amount' }).check()),
  at('terminate', ofOpen('/terminate')),
  at('erase', ofPayment('/erase')),
  at('payment-viewer', ofPayment(), undefined, 'viewer'),
  at(
    'payment-resent',
    ofPayment(),
    async (page) => {
      await page
        .locator('details.told', { has: page.locator('.resend') })
        .first()
        .locator('summary')
        .click();
      await page
        .getByRole('button', { name: /^Send again/ })
        .first()
        .click();
      await page.waitForURL(/\?resent=/);
    },
    'operator',
  ),

  at('overview', 'overview', unfold('Show the figures')),
  at('overview-empty', ofEmpty('overview')),

  at('webhooks', 'webhooks', unfold('Choose some')),
  at('webhooks-empty', ofEmpty('webhooks')),
  at('webhook', ofWebhook, async (page) => {
    await page.locator('td summary').first().click();
  }),
  at('webhook-tested', ofWebhook, press('Send a test event')),
  at('webhook-request', ofWebhook, async (page) => {
    await page.locator('table.deliveries td a').first().click();
    await page.waitForURL(/\/events\//);
  }),
  at('webhook-new-secret', ofWebhook, async (page) => {
    await unfold('New secret')(page, undefined as never);
    await press('Make a new secret')(page, undefined as never);
  }),
  at('webhook-switch-off', ofWebhook, unfold('Switch off')),
  at('webhook-delete', ofWebhook, unfold('Delete')),

  at('keys', 'keys', unfold('Revoke')),
  at('key-made', 'keys', async (page) => {
    await page.getByLabel('Name').fill('Till');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByLabel('Secret key', { exact: true }).last().waitFor();
  }),

  at('requests', 'requests'),
  at('requests-none', 'requests?q=no-such-request', unfold('Filter')),
  at('requests-empty', ofEmpty('requests')),
  at('request', 'requests', async (page) => {
    await page.locator('table.requests a').first().click();
    await page.waitForURL(/requests\/[^?]+$/);
  }),

  at('sandbox', 'sandbox'),
  at('sandbox-sure', 'sandbox?by=86400'),

  at('team', 'team', unfold('Remove')),
  at('team-invited', 'team', async (page, { shop }) => {
    await page.getByLabel('E-mail').fill(`new-${Date.now()}@${shop.merchant.id}.example`);
    await page.getByRole('button', { name: 'Invite' }).click();
    await page.getByLabel('Sign-in link', { exact: true }).waitFor();
  }),
  at('team-refused', 'team', async (page, { admin }) => {
    await page.getByLabel('E-mail').fill(admin.email);
    await page.getByRole('button', { name: 'Invite' }).click();
    await page.getByRole('alert').waitFor();
  }),

  at('audit', 'audit'),
  at('audit-none', 'audit?action=merchant.enable'),

  at('settings', 'settings'),
  at('settings-viewer', 'settings', undefined, 'viewer'),

  at('account', () => '/console/account'),
  at('account-viewer', () => '/console/account', undefined, 'viewer'),
  at('password', () => '/console/account/password'),
  at('last-way', () => '/console/account', press('Remove the passkey Laptop at work')),
  at('prove', () => '/console/prove?next=/console/account/password&again=yes', undefined, 'stale'),
  at('second-factor', () => '/console', undefined, 'weak'),
];

/** Opens a state on a page that may have shown another one. */
export async function showState(page: Page, world: ConsoleWorld, state: ConsoleState): Promise<void> {
  const context = page.context();
  await context.clearCookies();
  if (state.who !== 'nobody') {
    const [name = '', value = ''] = world[state.who].cookie.split('=');
    await context.addCookies([{ name, value, url: world.site }]);
  }
  await page.goto(`${world.site}${state.path(world)}`);
  await state.act?.(page, world);
}
