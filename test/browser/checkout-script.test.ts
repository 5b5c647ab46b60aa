// Goal: a shop that loads the script gets the frame and the names that existing shop pages expect, and a developer who
// makes a mistake is told what to do. Method: a real Chromium opens a shop's page on one origin, and a stand-in for
// Kassa on another serves the script as the service does.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { CONTAINER, KEY, OPEN, PAYMENT, kassa, openReadyShop, openShop, openSites, script } from './shop-page.ts';

openSites();

describe('the frame', () => {
  test('stands in the default container under the id that shops style, with all that it needs', async (t) => {
    const shop = await openShop(t);
    await shop.run(OPEN);
    const found = await shop.run<Record<string, string>>(`(() => {
      const { id, title, allow, src, style, parentElement, attributes } = document.querySelector('iframe');
      const { width, borderTopWidth, minHeight } = getComputedStyle(document.querySelector('iframe'));
      const names = Array.from(attributes, ({ name }) => name).sort().join();
      const fills = width === getComputedStyle(parentElement).width;
      return { id, title, allow, src, parent: parentElement.id, fills, borderTopWidth, minHeight, names };
    })()`);
    assert.deepEqual(found, {
      id: 'nets-checkout-iframe',
      title: 'Checkout',
      allow: 'payment',
      src: `${kassa.origin}/checkout/?checkoutKey=${KEY}&paymentId=${PAYMENT}`,
      parent: 'dibs-checkout-content',
      fills: true,
      borderTopWidth: '0px',
      minHeight: '480px',
      names: 'allow,id,src,style,title',
    });
    assert.deepEqual(shop.warnings, []);
  });

  const containers: readonly (readonly [ids: readonly string[], options: string, taken: string])[] = [
    [['kassa-checkout'], '', 'kassa-checkout'],
    [['nets-checkout-content'], '', 'nets-checkout-content'],
    [['kassa-checkout', 'dibs-checkout-content'], '', 'dibs-checkout-content'],
    [['dibs-checkout-content', 'mine'], ", containerId: 'mine'", 'mine'],
  ];
  for (const [ids, given, taken] of containers)
    test(`of ${ids.join(' and ')}${given} it takes ${taken}`, async (t) => {
      const shop = await openShop(t, { body: ids.map((id) => `<div id="${id}"></div>`).join('') });
      await shop.run(`void new Kassa.Checkout({ checkoutKey: '${KEY}', paymentId: '${PAYMENT}'${given} })`);
      assert.equal(await shop.run("document.querySelector('iframe').parentElement.id"), taken);
    });

  test('comes from where the script came from: below a path, with a query', async (t) => {
    const shop = await openShop(t, { src: '/below/v1/checkout.js?v=1' });
    await shop.run(`void new Kassa.Checkout({ checkoutKey: '${KEY}', paymentId: '${PAYMENT}', language: 'a b&c' })`);
    const src = await shop.run("document.querySelector('iframe').src");
    assert.equal(src, `${kassa.origin}/below/checkout/?checkoutKey=${KEY}&paymentId=${PAYMENT}&language=a+b%26c`);
  });

  // decision: bringing-your-own-keys
  test('is asked for with the key of a shop that came from elsewhere, as it is: hex digits, or a GUID in either case', async (t) => {
    const shop = await openShop(t);
    for (const key of [
      KEY.slice(-32),
      '01234567-89ab-cdef-0123-456789abcdef',
      '01234567-89AB-CDEF-0123-456789ABCDEF',
    ]) {
      await shop.run(`void new Dibs.Checkout({ checkoutKey: '${key}', paymentId: '${PAYMENT}' })`);
      const src = await shop.run("document.querySelector('iframe').src");
      assert.equal(src, `${kassa.origin}/checkout/?checkoutKey=${key}&paymentId=${PAYMENT}`);
    }
    assert.deepEqual(shop.warnings, []);
  });

  test('comes from there also when a loader put in the text of the script', async (t) => {
    const shop = await openShop(t);
    await shop.run(`fetch('/calls.js').then(() => {
      delete window.Kassa;
      const tag = document.createElement('script');
      tag.textContent = ${JSON.stringify(script)};
      document.head.append(tag);
      ${OPEN}
    })`);
    const src = await shop.run<string>("document.querySelector('iframe').src");
    assert.ok(src.startsWith(`${kassa.origin}/checkout/?`), src);
  });

  test('is called by the word of its language', async (t) => {
    const shop = await openShop(t, { locale: 'fi-FI' });
    const title = (option: string): Promise<string> =>
      shop.run(`(() => {
        checkout = new Kassa.Checkout({ checkoutKey: '${KEY}', paymentId: '${PAYMENT}'${option} });
        return document.querySelector('iframe').title;
      })()`);
    assert.equal(await title(", language: 'de-DE'"), 'Kasse');
    assert.equal(await title(", language: 'en-GB'"), 'Checkout');
    assert.equal(await title(", language: 'xx'"), 'Kassa');
    assert.equal(await title(''), 'Kassa');
    await shop.run("checkout.setLanguage('nb-NO')");
    assert.equal(await shop.run("document.querySelector('iframe').title"), 'Kasse');
  });

  test('grows and shrinks with its content, and drops the height it had while loading', async (t) => {
    const shop = await openReadyShop(t);
    const height = "getComputedStyle(document.querySelector('iframe')).height";
    assert.equal(await shop.run(height), '480px');
    await shop.say('height', 1234.2);
    assert.equal(await shop.run(height), '1235px');
    await shop.say('height', 200);
    assert.equal(await shop.run(height), '200px');
    for (const wrong of [0, -5, null, 'tall', '1px; color: red']) await shop.say('height', wrong);
    assert.equal(await shop.run(height), '200px');
  });

  test('is scrolled into view when it asks, and left alone when its top is in view', async (t) => {
    const shop = await openReadyShop(t, { body: `<p>shop</p>${CONTAINER}` });
    await shop.say('height', 5_000);
    await shop.run('scrollTo(0, 20)');
    await shop.say('scroll-to-top');
    assert.equal(await shop.run('scrollY'), 20);
    await shop.run('scrollTo(0, 3000)');
    await shop.say('scroll-to-top');
    assert.equal(await shop.run("Math.round(document.querySelector('iframe').getBoundingClientRect().top)"), 0);
  });

  test('works in a page whose policy allows no inline script, no inline style and no eval', async (t) => {
    const policy = `default-src 'none'; script-src 'self' ${kassa.origin}; frame-src ${kassa.origin}`;
    const shop = await openReadyShop(t, { headers: { 'content-security-policy': policy } });
    await shop.say('height', 300);
    assert.equal(await shop.run("document.querySelector('iframe').offsetHeight"), 300);
    assert.equal(await shop.run("document.querySelector('iframe').offsetWidth > 700"), true);
  });
});

describe('the globals', () => {
  test('are Kassa, Dibs and Nets, the same thing, and nothing else', async (t) => {
    const shop = await openShop(t);
    assert.equal(await shop.run('Kassa === Dibs && Dibs === Nets'), true);
    const left = await shop.run<string[]>(`(() => {
      const frame = document.body.appendChild(document.createElement('iframe'));
      const usual = new Set(Object.getOwnPropertyNames(frame.contentWindow));
      frame.remove();
      return Object.getOwnPropertyNames(window).filter((name) => !usual.has(name) && !/^\\d+$/.test(name));
    })()`);
    const playwright = /^__|^calls$|^checkout$/;
    assert.deepEqual(left.filter((name) => !playwright.test(name)).toSorted(), ['Dibs', 'Kassa', 'Nets']);
  });

  test('leave a Dibs of somebody else alone, and say so', async (t) => {
    const shop = await openShop(t, { head: '<script>var Dibs = { Checkout: "theirs" }</script>' });
    assert.equal(await shop.run('Dibs.Checkout'), 'theirs');
    assert.equal(await shop.run('Kassa === Nets'), true);
    assert.equal(shop.warnings.length, 1);
    assert.match(shop.warnings[0] ?? '', /^warning Kassa: window\.Dibs belongs to another script/);
  });

  test('are not taken for somebody else’s when an element has that id, or the script comes twice', async (t) => {
    const tag = `<script src="${kassa.origin}/v1/checkout.js"></script>`;
    const shop = await openShop(t, { body: `<div id="Kassa"></div>${CONTAINER}${tag}` });
    assert.equal(await shop.run('typeof Kassa.Checkout'), 'function');
    assert.deepEqual(shop.warnings, []);
  });
});

describe('a mistake is thrown as an error that says what to do, and shown in the console', () => {
  const secret = 'test-secret-key-fedcba9876543210fedcba9876543210';
  const mistakes: readonly (readonly [what: string, options: string, told: RegExp])[] = [
    ['no options', '', /checkoutKey is missing.*test-checkout-key-…/],
    ['no checkoutKey', `{ paymentId: '${PAYMENT}' }`, /checkoutKey is missing/],
    ['a checkoutKey that is no text', `{ checkoutKey: {}, paymentId: '${PAYMENT}' }`, /checkoutKey is missing/],
    ['no paymentId', `{ checkoutKey: '${KEY}' }`, /paymentId is missing.*POST \/v1\/payments/],
    ['an empty paymentId', `{ checkoutKey: '${KEY}', paymentId: '' }`, /paymentId is missing/],
    ['an untouched placeholder', `{ checkoutKey: 'CHECKOUT_KEY', paymentId: '${PAYMENT}' }`, /checkoutKey is none/],
    ['a paymentId of nothing', `{ checkoutKey: '${KEY}', paymentId: 'undefined' }`, /paymentId is none.*32 hex digits/],
    ['a secret key', `{ checkoutKey: '${secret}', paymentId: '${PAYMENT}' }`, /holds a secret key.*revoke it now/],
    ['a secret key in capitals', `{ checkoutKey: '${secret.toUpperCase()}' }`, /holds a secret key/],
    [
      'a container that is not there',
      `{ checkoutKey: '${KEY}', paymentId: '${PAYMENT}', containerId: 'gone' }`,
      /no element with the id "gone".*<div id="gone">/,
    ],
  ];
  test('and nothing is opened: options that are missing, that are none, that are secret', async (t) => {
    const shop = await openShop(t);
    const before = kassa.paths.length;
    for (const [what, options, told] of mistakes) {
      const text = await shop.run<string>(`(() => {
        try { new Kassa.Checkout(${options}); } catch (error) { return error.message; }
      })()`);
      assert.match(text, told, what);
      assert.deepEqual(shop.warnings.splice(0), [`error ${text}`], what);
      assert.ok(!/fedcba98/i.test(text), 'the text repeats the key');
      assert.equal(await shop.run('document.querySelector("iframe")'), null, what);
    }
    assert.equal(kassa.paths.length, before);
  });

  test('no container at all', async (t) => {
    const shop = await openShop(t, { body: '' });
    await assert.rejects(shop.run(OPEN), /no element with the id "kassa-checkout"/);
  });

  test('a script whose address nobody knows', async (t) => {
    const shop = await openShop(t);
    const opened = shop.run(`(() => {
      document.querySelectorAll('script').forEach((tag) => tag.remove());
      const tag = document.createElement('script');
      tag.textContent = ${JSON.stringify(script)};
      document.head.append(tag);
      ${OPEN}
    })()`);
    await assert.rejects(opened, /load this script by <script src="…\/v1\/checkout\.js">/);
  });

  test('a listener that is no function', async (t) => {
    const shop = await openReadyShop(t);
    await assert.rejects(shop.run("checkout.on('payment-completed')"), /needs a function/);
  });

  test('an event that there is not is named, beside those that there are; nothing is thrown', async (t) => {
    const shop = await openReadyShop(t);
    await shop.run("checkout.on('payment-complete', () => {}); checkout.send('payment-cart-finalized', true)");
    assert.equal(shop.warnings.length, 2);
    assert.match(shop.warnings[0] ?? '', /no event "payment-complete".*payment-completed/);
    assert.match(shop.warnings[1] ?? '', /"payment-cart-finalized" cannot be sent/);
  });
});

describe('a frame that loads', () => {
  const GROUND = "document.querySelector('iframe').style.background";

  test('shows the shape of a form until it is there', async (t) => {
    const shop = await openShop(t);
    const gate = Promise.withResolvers<void>();
    await shop.page.route('**/checkout/?*', async (route) => {
      await gate.promise;
      await route.continue();
    });
    await shop.run(OPEN);
    assert.match(await shop.run(GROUND), /linear-gradient/);
    assert.equal(await shop.run("document.querySelector('iframe').getAnimations().length"), 1);
    gate.resolve();
    await shop.page.waitForFunction(`${GROUND} === ''`);
    assert.equal(await shop.run("document.querySelector('iframe').getAnimations().length"), 0);
  });

  test('does not pulse for those who want less motion', async (t) => {
    const shop = await openShop(t);
    await shop.page.emulateMedia({ reducedMotion: 'reduce' });
    await shop.run(OPEN);
    assert.equal(await shop.run("document.querySelector('iframe').getAnimations().length"), 0);
  });
});

describe('a frame that does not answer', () => {
  test('is told of after 5 s, with what to compare', async (t) => {
    const shop = await openShop(t, { stillClock: true });
    await shop.run(OPEN);
    await shop.page.clock.runFor(4_000);
    assert.equal(shop.warnings.length, 0);
    await shop.page.clock.runFor(2_000);
    assert.equal(shop.warnings.length, 1);
    const [warning = ''] = shop.warnings;
    for (const word of [PAYMENT, shop.origin, kassa.origin, 'checkout.url', 'frame-ancestors', 'frame-src'])
      assert.ok(warning.includes(word), word);
  });

  test('is not told of once it was ready, or is gone', async (t) => {
    const shop = await openShop(t, { stillClock: true });
    await shop.run(`${OPEN}; checkout.cleanup(); ${OPEN}`);
    await shop.say('ready');
    await shop.page.clock.runFor(60_000);
    assert.deepEqual(shop.warnings, []);
  });
});
