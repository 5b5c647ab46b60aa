// Goal: at the console a test merchant's clock is moved by those who may, once for each form, after being told what it
// does; its payments are paid as by their consumers, with the bank's question and with declines; a live merchant has none
// of it. Method: requests as a browser sends them to a Kassa that runs; the API is the judge.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { consoleTexts } from '../../src/console/texts.ts';
import { timeOf } from '../../src/domain/id.ts';
import { LANGUAGES } from '../../src/pages/language.ts';
import { CARDS } from '../support/checkout.ts';
import { aCreate } from '../support/client.ts';
import { signIn } from '../support/console.ts';
import type { Visitor } from '../support/console.ts';
import { elementsOf } from '../support/markup.ts';
import { shareService } from '../support/service.ts';
import type { SharedService } from '../support/service.ts';

const DAY_S = 86_400;
const DAY_MS = DAY_S * 1_000;

let service: SharedService;
before(() => {
  service = shareService();
});
after(() => service.close());

const textOf = async (answer: Response): Promise<string> =>
  (await answer.text()).replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');

describe('the clock at the console', () => {
  const pathOf = (merchantId: number): string => `/console/${merchantId}/sandbox`;

  /** The fields that the question would send. */
  async function ask(who: Visitor, path: string, query: string): Promise<Record<string, string>> {
    const page = await (await who.ask(`${path}?${query}`)).text();
    const hidden = elementsOf(page).filter(
      ({ name, attributes }) => name === 'input' && attributes['type'] === 'hidden',
    );
    return Object.fromEntries(hidden.map(({ attributes }) => [attributes['name'] ?? '', attributes['value'] ?? '']));
  }

  test('what a move does is said first; a double click moves it once, and every page says that it is ahead', async () => {
    const { merchant, client } = await service.openShop();
    const path = pathOf(merchant.id);
    const operator = await signIn(service, merchant.id, 'operator');
    assert.match(await textOf(await operator.ask(path)), /That is the real time\./);
    const question = await textOf(await operator.ask(`${path}?by=${8 * DAY_S}`));
    assert.match(question, /Move the clock from .* to .*\? .*expire.*tried at once.*It cannot be moved back\./);
    assert.equal((await client.must(200, 'GET', '/v1/sandbox/clock')).aheadSeconds, 0, 'a question moves nothing');
    const fields = await ask(operator, path, `by=${8 * DAY_S}`);
    for (let times = 0; times < 2; times += 1) {
      const moved = await operator.submit(`${path}/clock`, fields);
      assert.deepEqual([moved.status, moved.headers.get('location')], [303, `${path}?moved=yes`]);
    }
    assert.equal((await client.must(200, 'GET', '/v1/sandbox/clock')).aheadSeconds, 8 * DAY_S);
    assert.ok(Math.abs(timeOf(await client.create()) - Date.now() - 8 * DAY_MS) < 60_000);
    for (const page of ['sandbox', 'payments', 'overview', 'settings'])
      assert.match(
        await textOf(await operator.ask(`/console/${merchant.id}/${page}`)),
        /The test clock is 8 days ahead: for this merchant it is /,
        page,
      );
    const acts = await service.pool.query<{ name: string }>(
      `select actor_name as name from audit_records where merchant_id = $1 and action = 'clock.move'`,
      [merchant.id],
    );
    assert.deepEqual(acts, [{ name: operator.email }]);
  });

  test('to a time in UTC; back, too far and nonsense are refused in words, on the page and when they are sent', async () => {
    const { merchant, client } = await service.openShop();
    const path = pathOf(merchant.id);
    const developer = await signIn(service, merchant.id, 'developer');
    const to = new Date(Date.now() + 3 * DAY_MS).toISOString().slice(0, 16);
    const fields = await ask(developer, path, `to=${to}`);
    assert.equal((await developer.submit(`${path}/clock`, fields)).status, 303);
    const { time } = await client.must(200, 'GET', '/v1/sandbox/clock');
    assert.equal(time.slice(0, 16), to);
    for (const [query, words, status] of [
      ['to=2020-01-01T00:00', 'never moved back', 422],
      ['by=63072000', 'no further than two years', 422],
      ['to=tomorrow', 'Choose a time', 400],
      ['by=-5', 'Choose a time', 400],
    ] as const) {
      assert.ok((await textOf(await developer.ask(`${path}?${query}`))).includes(words), query);
      const key = `console-${'0'.repeat(32)}`;
      const sent = await developer.submit(`${path}/clock`, {
        ...Object.fromEntries(new URLSearchParams(query)),
        key,
      });
      assert.equal(sent.status, status, query);
      assert.ok((await textOf(sent)).includes(words), query);
    }
  });

  test('who only looks sees it and cannot move it; from elsewhere nobody can; a live merchant has no such page', async () => {
    const { merchant, client } = await service.openShop();
    const path = pathOf(merchant.id);
    const [viewer, admin] = [await signIn(service, merchant.id, 'viewer'), await signIn(service, merchant.id, 'admin')];
    const page = await (await viewer.ask(`${path}?by=3600`)).text();
    assert.match(page, /Operators, developers and admins move it\./);
    assert.doesNotMatch(page, /action="[^"]*\/clock"/);
    const fields = await ask(admin, path, 'by=3600');
    assert.equal((await viewer.submit(`${path}/clock`, fields)).status, 403);
    const foreign = await admin.ask(`${path}/clock`, {
      method: 'POST',
      body: new URLSearchParams(fields).toString(),
      more: {
        'content-type': 'application/x-www-form-urlencoded',
        origin: 'https://evil.example',
        'sec-fetch-site': 'cross-site',
      },
    });
    assert.equal(foreign.status, 403);
    assert.equal((await client.must(200, 'GET', '/v1/sandbox/clock')).aheadSeconds, 0);
    const other = await service.openShop();
    assert.equal((await admin.submit(`${pathOf(other.merchant.id)}/clock`, fields)).status, 404);
    const live = await service.openShop({ live: true });
    const owner = await signIn(service, live.merchant.id, 'admin');
    assert.equal((await owner.ask(pathOf(live.merchant.id))).status, 404);
    assert.equal((await owner.submit(`${pathOf(live.merchant.id)}/clock`, fields)).status, 404);
    assert.doesNotMatch(await (await owner.ask(`/console/${live.merchant.id}/overview`)).text(), /\/sandbox"/);
  });

  test('every language has its own words for it', () => {
    const seen = LANGUAGES.map((language) => consoleTexts(language).sandbox.intro);
    assert.equal(new Set(seen).size, LANGUAGES.length);
  });
});

describe('paying as the consumer at the console', () => {
  async function open(role: 'operator' | 'developer' = 'operator') {
    const shop = await service.openShop();
    const paymentId = await shop.client.create();
    const page = `/console/${shop.merchant.id}/payments/${paymentId}`;
    return { ...shop, paymentId, page, who: await signIn(service, shop.merchant.id, role) };
  }

  const reservedOf = async ({ client, paymentId }: Awaited<ReturnType<typeof open>>): Promise<number> =>
    (await client.payment(paymentId)).summary.reservedAmount;

  test('a decline is told with its reason, and another card pays, as the checkout does it', async () => {
    const asked = await open();
    const { who, page, client, paymentId } = asked;
    const declined = await who.submit(`${page}/pay`, { card: CARDS.noFunds });
    assert.equal(declined.status, 303);
    assert.match(
      await textOf(await who.ask(declined.headers.get('location') ?? '')),
      /was declined: insufficient funds/,
    );
    const paid = await who.submit(`${page}/pay`, { card: CARDS.approved });
    assert.match(await textOf(await who.ask(paid.headers.get('location') ?? '')), /Reserved 1,?000\.00 SEK/);
    assert.equal(await reservedOf(asked), 100_000);
    const payment = await client.payment(paymentId);
    assert.equal(payment.consumer.privatePerson.lastName, 'Nordmann');
    const { events } = await client.must(200, 'GET', `/v1/events?paymentId=${paymentId}`);
    const names = events.map(({ event }: { event: string }) => event);
    assert.ok(
      names.includes('payment.reservation.failed') && names.includes('payment.checkout.completed'),
      names.join(),
    );
  });

  test('a card that leads to the bank: nothing is reserved before its question is answered, and once', async () => {
    for (const [answer, amount] of [
      ['passed', 100_000],
      ['failed', 0],
    ] as const) {
      const asked = await open();
      const { who, page } = asked;
      assert.equal((await who.submit(`${page}/pay`, { card: CARDS.challenge })).status, 303);
      assert.equal(await reservedOf(asked), 0);
      const shown = await (await who.ask(page)).text();
      assert.match(shown, /The bank asks for the consumer/);
      const challenge =
        elementsOf(shown).find(({ attributes }) => attributes['name'] === 'challenge')?.attributes['value'] ?? '';
      for (let times = 0; times < 2; times += 1)
        assert.equal((await who.submit(`${page}/pay/bank`, { challenge, answer })).status, 303);
      assert.equal(await reservedOf(asked), amount);
      assert.doesNotMatch(await (await who.ask(page)).text(), /The bank asks for the consumer/);
      assert.equal((await who.submit(`${page}/pay/bank`, { challenge: '0'.repeat(32), answer })).status, 404);
    }
  });

  test('an app that the payment offers can be chosen and is answered for; one that it does not offer is not there', async () => {
    const { client, who, merchant } = await open();
    const body = { ...aCreate(), paymentMethodsConfiguration: [{ name: 'Card' }, { name: 'Swish' }] };
    const { paymentId } = await client.must(201, 'POST', '/v1/payments', body);
    const page = `/console/${merchant.id}/payments/${paymentId}`;
    const offered = await (await who.ask(page)).text();
    assert.match(offered, /<option value="Swish">Swish<\/option>/);
    assert.doesNotMatch(offered, /Vipps/);
    assert.equal((await who.submit(`${page}/pay`, { card: 'Vipps' })).status, 404);
    assert.equal((await who.submit(`${page}/pay`, { card: 'Swish' })).status, 303);
    const shown = await (await who.ask(page)).text();
    assert.match(shown, /The app asks the consumer/);
    assert.match(shown, /Decline in the app/);
    const challenge =
      elementsOf(shown).find(({ attributes }) => attributes['name'] === 'challenge')?.attributes['value'] ?? '';
    await who.submit(`${page}/pay/bank`, { challenge, answer: 'failed' });
    assert.match(await textOf(await who.ask(page)), /the consumer declined in the app/);
    await who.submit(`${page}/pay`, { card: 'Swish' });
    const again = await (await who.ask(page)).text();
    const second =
      elementsOf(again).find(({ attributes }) => attributes['name'] === 'challenge')?.attributes['value'] ?? '';
    await who.submit(`${page}/pay/bank`, { challenge: second, answer: 'passed' });
    const { summary, paymentDetails } = await client.payment(paymentId as string);
    assert.deepEqual([summary.reservedAmount, paymentDetails.paymentMethod], [100_000, 'Swish']);
    assert.match(await textOf(await who.ask(page)), /The consumer approved in the app/);
  });

  test('what cannot be paid so is told; a role without money cannot', async () => {
    const { client, who, merchant } = await open();
    const created = aCreate();
    const body = { ...created, checkout: { ...created.checkout, shipping: { merchantHandlesShippingCost: true } } };
    const { paymentId } = await client.must(201, 'POST', '/v1/payments', body);
    const page = `/console/${merchant.id}/payments/${paymentId}`;
    const missing = await who.submit(`${page}/pay`, { card: CARDS.approved });
    assert.equal(missing.status, 422);
    assert.match(await textOf(missing), /add the cost of shipping first/);
    await client.must(200, 'POST', '/v1/sandbox/clock', { advanceSeconds: 3 * DAY_S });
    const expired = await who.submit(`${page}/pay`, { card: CARDS.approved });
    assert.equal(expired.status, 422);
    assert.match(await textOf(expired), /The payment expired at /);
    const developer = await open('developer');
    assert.equal((await developer.who.submit(`${developer.page}/pay`, { card: CARDS.approved })).status, 403);
    assert.equal(await reservedOf(developer), 0);
  });
});
