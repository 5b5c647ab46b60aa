// Goal: a payment with many items and many charges is shown in parts, of which none is large, and by plain links one comes
// to all of it: nothing is left out and nothing is there twice. Method: a long payment, walked through as a browser
// without script does.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { signIn } from '../support/console.ts';
import type { Visitor } from '../support/console.ts';
import { aCreate, anItem } from '../support/client.ts';
import { until } from '../support/kassa.ts';
import { elementsOf } from '../support/markup.ts';
import { shareService } from '../support/service.ts';
import type { SharedService, Shop } from '../support/service.ts';

const ITEMS = 120;
const CHARGES = 30;

describe('a long payment in the console', () => {
  let service: SharedService;
  let shop: Shop;
  let visitor: Visitor;
  let path: string;
  before(async () => {
    service = shareService();
    shop = await service.openShop();
    const items = Array.from({ length: ITEMS }, (_, n) =>
      anItem({ reference: `r-${n}`, name: `Thing ${n}`, grossTotalAmount: 100 }),
    );
    const order = { ...aCreate().order, items, amount: ITEMS * 100 };
    const { paymentId } = await shop.client.must(201, 'POST', '/v1/payments', { ...aCreate(), order });
    await shop.client.must(201, 'POST', `/v1/sandbox/payments/${paymentId}/reserve`);
    for (let n = 0; n < CHARGES; n += 1) await shop.client.charge(paymentId as string, n + 1);
    visitor = await signIn(service, shop.merchant.id, 'developer');
    path = `/console/${shop.merchant.id}/payments/${paymentId}`;
    await until('all events', async () => (await (await visitor.ask(path)).text()).includes('payment.charge.created'));
  });
  after(() => service.close());

  const look = async (address: string): Promise<string> => {
    const answer = await visitor.ask(address);
    assert.equal(answer.status, 200);
    return answer.text();
  };

  /** Every part of a list, by the links to the next one. */
  async function walk(list: 'items' | 'story', from = path): Promise<string[]> {
    const pages: string[] = [];
    for (let next: string | undefined = from; next !== undefined;) {
      const page = await look(next);
      pages.push(page);
      const links = elementsOf(page).flatMap(({ attributes }) => (attributes['rel'] === 'next' ? [attributes] : []));
      next = links.map(({ href }) => href).find((href) => href?.endsWith(`#${list}-title`));
    }
    return pages;
  }

  const namesIn = (page: string): string[] =>
    Array.from(page.matchAll(/<span class="item-name">Thing (\d+)<\/span>/g), ([, n]) => n as string);
  const chargesIn = (page: string): string[] =>
    Array.from(page.matchAll(/<h3>Charged ([\d.]+) SEK<\/h3>/g), ([, amount]) => amount as string);

  test('its items come in parts of fifty, each once', async () => {
    const pages = await walk('items');
    assert.deepEqual(
      pages.map((page) => namesIn(page).length),
      [50, 50, 20],
    );
    assert.deepEqual(
      pages.flatMap(namesIn),
      Array.from({ length: ITEMS }, (_, n) => String(n)),
    );
    assert.match(pages[1] ?? '', /51–100 of 120/);
  });

  test('what happened comes in parts of 25, newest first, each with what was told of it', async () => {
    const pages = await walk('story');
    assert.deepEqual(
      pages.flatMap(chargesIn),
      Array.from({ length: CHARGES }, (_, n) => ((CHARGES - n) / 100).toFixed(2)),
    );
    for (const page of pages) {
      const entries = Array.from(page.matchAll(/<div class="entry-head">/g)).length;
      assert.ok(entries <= 25, `${entries} entries`);
      const told = page.match(/<code>payment\.charge\.created<\/code>/g)?.length ?? 0;
      assert.equal(told, chargesIn(page).length, 'the events of each charge stand with it, and no others');
    }
  });

  test('the way through one list keeps its place in the other', async () => {
    const pages = await walk('story', `${path}?items=3`);
    for (const page of pages) assert.equal(namesIn(page)[0], '100');
  });

  test('a part that there is not is the last one, and what is no number the first', async () => {
    for (const [query, first] of [
      ['items=99', '100'],
      ['items=0', '0'],
      ['items=-1', '0'],
      ['items=1e3', '0'],
      ['items=2&items=3', '0'],
    ])
      assert.equal(namesIn(await look(`${path}?${query}`))[0], first, query);
  });

  test('an event that was just sent again is shown, wherever it stands', async () => {
    const [oldest] = (await walk('story')).slice(-1);
    const [{ id } = { id: '' }] = (await shop.client.must(200, 'GET', '/v1/events?limit=1')).events as { id: string }[];
    const page = await look(`${path}?resent=${id}`);
    assert.match(page, /is on its way again/);
    assert.deepEqual(chargesIn(page), chargesIn(oldest ?? ''));
  });
});
