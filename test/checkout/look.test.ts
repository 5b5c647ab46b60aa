// Goal: a merchant's checkout has its colour and its logo, from our own origin, and whatever a merchant chooses can be
// seen and does nothing. Method: every colour by its contrast; pages and pictures of a real service.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { contrastOf, readRgb, styleOfColour } from '../../src/checkout/colour.ts';
import { pictureOriginsOf } from '../../src/checkout/pictures.ts';
import { readLogoBytes } from '../../src/merchants/branding.ts';
import type { Payment } from '../../src/domain/payment.ts';
import { updateBranding } from '../../src/store/merchants/merchant-branding.ts';
import type { Logo } from '../../src/store/merchants/merchant-branding.ts';
import { anItem } from '../support/client.ts';
import { aPng } from '../support/picture.ts';
import { shareService } from '../support/service.ts';
import type { SharedService, Shop } from '../support/service.ts';

describe('a colour', () => {
  const GROUNDS = ['ffffff', '18201d'] as const;
  const colours = (style: string): string[] =>
    Array.from(style.matchAll(/#([0-9a-f]{6})/g), ([, digits = '']) => digits);

  // decision: branding
  test('whatever the colour, button and text can be told from what is behind them', () => {
    const digit = fc.integer({ min: 0, max: 255 }).map((byte) => byte.toString(16).padStart(2, '0'));
    fc.assert(
      fc.property(fc.tuple(digit, digit, digit), (parts) => {
        const [button = '', text = '', link = '', ...dark] = colours(styleOfColour(parts.join('')));
        const [darkButton = '', darkText = '', darkLink = ''] = dark;
        for (const [shown, on, linked, ground] of [
          [button, text, link, GROUNDS[0]],
          [darkButton, darkText, darkLink, GROUNDS[1]],
        ] as const) {
          assert.ok(contrastOf(readRgb(linked), readRgb(ground)) >= 4.5, `${linked} on ${ground}`);
          assert.ok(contrastOf(readRgb(shown), readRgb(ground)) >= 3, `${shown} on ${ground}`);
          assert.ok(contrastOf(readRgb(on), readRgb(shown)) >= 4.5, `${on} on ${shown}`);
        }
      }),
    );
  });

  test('that can be seen stays as it is', () => {
    assert.deepEqual(colours(styleOfColour('7c2d92')).slice(0, 3), ['7c2d92', 'ffffff', '7c2d92']);
    assert.deepEqual(colours(styleOfColour('ffc800')).slice(3, 6), ['ffc800', '000000', 'ffc800']);
  });
});

describe('pictures of items', () => {
  const originsOf = (urls: readonly string[], isSecure = true) =>
    pictureOriginsOf({ order: { items: urls.map((imageUrl) => ({ imageUrl })) } } as unknown as Payment, isSecure);

  // decision: pictures-of-items
  test('are let in by their origins, each once, and by few of them', () => {
    assert.deepEqual(originsOf([]), []);
    assert.deepEqual(
      originsOf(['https://cdn.example/a.png', 'https://cdn.example/b.png', 'https://b.example:8443/c']),
      ['https://cdn.example', 'https://b.example:8443'],
    );
    assert.equal(originsOf(Array.from({ length: 1_000 }, (_, index) => `https://c${index}.example/`)).length, 4);
  });

  test('over http are for a Kassa on http alone', () => {
    assert.deepEqual(originsOf(['http://localhost:8000/a.png']), []);
    assert.deepEqual(originsOf(['http://localhost:8000/a.png'], false), ['http://localhost:8000']);
  });

  // decision: pictures-of-items
  test('add nothing to a policy but an origin', () => {
    for (const odd of [
      'https://*.example/',
      'https://a.example;script-src *',
      "https://'self'/",
      'data:image/png;base64,AA',
      'javascript:1',
    ])
      for (const origin of originsOf([odd])) assert.match(origin, /^https:\/\/[a-z0-9.-]+$/, odd);
  });
});

describe('a checkout', () => {
  let service: SharedService;
  let shop: Shop;
  before(async () => {
    service = shareService();
    shop = await service.openShop({ name: 'Havtorn & Salt' });
  });
  after(() => service.close());

  const logoOf = (bytes: Buffer): Logo => readLogoBytes(bytes) as Logo;

  async function pageOf(mode: 'hosted' | 'embedded' = 'hosted'): Promise<string> {
    const key = shop.merchant.checkoutKey;
    const paymentId = await shop.client.create();
    const path =
      mode === 'hosted' ? `hostedpaymentpage/?checkoutKey=${key}&pid=` : `checkout/?checkoutKey=${key}&paymentId=`;
    const page = await fetch(`${service.url}/${path}${paymentId}`);
    assert.match(page.headers.get('content-security-policy') ?? '', /img-src 'self' data:;/);
    return page.text();
  }

  test('of a merchant without a look has none of it', async () => {
    assert.doesNotMatch(await pageOf(), /colours|logos|class="logo"/);
    assert.match(await pageOf(), /<p class="shop">Havtorn &amp; Salt<\/p>/);
  });

  test('has the style of its colour, hosted and embedded, which a browser keeps for good', async () => {
    await updateBranding(service.pool, shop.merchant.id, { colour: '#7c2d92' });
    for (const mode of ['hosted', 'embedded'] as const)
      assert.match(await pageOf(mode), /<link rel="stylesheet" href="\/checkout\/colours\/7c2d92\.css" \/>/);
    const style = await fetch(`${service.url}/checkout/colours/7c2d92.css`);
    assert.equal(style.headers.get('content-type'), 'text/css; charset=utf-8');
    assert.match(style.headers.get('cache-control') ?? '', /immutable/);
    assert.match(
      await style.text(),
      /^:root\{--primary-color:#7c2d92;--button-text-color:#ffffff;--link-color:#7c2d92\}/,
    );
    for (const name of ['7c2d9.css', 'red.css', '7C2D92.css', '7c2d92', '7c2d92.css%7d'])
      assert.equal((await fetch(`${service.url}/checkout/colours/${name}`)).status, 404, name);
    await updateBranding(service.pool, shop.merchant.id, { colour: null });
    assert.doesNotMatch(await pageOf(), /colours/);
  });

  // decision: pictures-of-items
  test('lets in the origins of its items’ pictures, and no others', async () => {
    const items = [
      anItem({ reference: 'a', grossTotalAmount: 50_000, imageUrl: 'https://cdn.example/a.png' }),
      anItem({ reference: 'b', grossTotalAmount: 50_000, imageUrl: 'javascript:alert(1)' }),
    ];
    const { paymentId } = await shop.client.must(201, 'POST', '/v1/payments', {
      order: { items, amount: 100_000, currency: 'SEK' },
      checkout: { url: 'https://shop.example/checkout' },
    });
    const key = shop.merchant.checkoutKey;
    const page = await fetch(`${service.url}/checkout/?checkoutKey=${key}&paymentId=${paymentId}`);
    assert.match(page.headers.get('content-security-policy') ?? '', /; img-src 'self' data: https:\/\/cdn\.example; /);
    assert.deepEqual(
      Array.from((await page.text()).matchAll(/<img[^>]* src="([^"]*)"/g), ([, src]) => src),
      ['https://cdn.example/a.png'],
    );
  });

  // decision: branding
  test('a logo is served as what it is, for good, and only under its own address', async () => {
    const first = logoOf(aPng());
    await updateBranding(service.pool, shop.merchant.id, { logo: first });
    const address = `/checkout/logos/${shop.merchant.checkoutKey}/${first.digest}`;
    assert.ok((await pageOf()).includes(`<img class="logo" src="${address}" alt="Havtorn &amp; Salt" />`));
    assert.doesNotMatch(await pageOf('embedded'), /class="logo"/, 'the shop’s own page says whose it is');
    for (let times = 0; times < 2; times += 1) {
      const picture = await fetch(service.url + address);
      const headers = ['content-type', 'x-content-type-options', 'content-security-policy'] as const;
      assert.deepEqual(
        headers.map((name) => picture.headers.get(name)),
        ['image/png', 'nosniff', "default-src 'none'; sandbox"],
      );
      assert.match(picture.headers.get('cache-control') ?? '', /immutable/);
      assert.deepEqual(Buffer.from(await picture.arrayBuffer()), first.bytes);
    }
    const other = await service.openShop();
    for (const wrong of [
      `/checkout/logos/${other.merchant.checkoutKey}/${first.digest}`,
      `/checkout/logos/${shop.merchant.checkoutKey}/${'0'.repeat(64)}`,
      `/checkout/logos/${shop.merchant.checkoutKey}/undefined`,
      `/checkout/logos/nobody/${first.digest}`,
    ])
      assert.equal((await fetch(service.url + wrong)).status, 404, wrong);

    const second = logoOf(aPng(60, 20));
    await updateBranding(service.pool, shop.merchant.id, { logo: second });
    assert.ok((await pageOf()).includes(second.digest));
    assert.equal((await fetch(service.url + address)).status, 404, 'the one before is gone');
    await updateBranding(service.pool, shop.merchant.id, { logo: null });
    assert.doesNotMatch(await pageOf(), /class="logo"/);
  });
});
