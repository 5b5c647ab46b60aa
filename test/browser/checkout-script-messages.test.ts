// Goal: what the shop's page and the checkout tell each other arrives, in order and once, and nobody else can listen or
// speak. Method: the frame of a stand-in for Kassa writes down what it is told and says what the test wants; a stranger
// on a third origin has the same page.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { CONTAINER, KEY, OPEN, PAYMENT, kassa, openReadyShop, openShop, openSites, stranger } from './shop-page.ts';
import type { Heard } from './shop-page.ts';

openSites();

const types = (heard: readonly Heard[]): string[] => heard.map(({ type }) => type);

describe('what the page tells the frame', () => {
  test('is sent at once when the frame is ready, with the origin of the shop', async (t) => {
    const shop = await openReadyShop(t);
    await shop.run(`
      checkout.freezeCheckout();
      checkout.thawCheckout();
      checkout.setTheme({ primaryColor: '#123456', buttonRadius: 4 });
      checkout.setLanguage('fi-FI');
      checkout.send('payment-order-finalized', true);
      checkout.send('payment-order-finalized', false);
      checkout.send('payment-order-finalized');
      checkout.send('payment-cancel-initiated');
    `);
    const told = [
      { type: 'hello', data: { listens: [] } },
      { type: 'freeze' },
      { type: 'thaw' },
      { type: 'theme', data: { primaryColor: '#123456', buttonRadius: 4 } },
      { type: 'language', data: 'fi-FI' },
      { type: 'payment-order-finalized', data: true },
      { type: 'payment-order-finalized', data: false },
      { type: 'payment-order-finalized', data: false },
      { type: 'cancel' },
    ];
    assert.deepEqual(
      await shop.heard(),
      told.map((message) => ({ kassa: 1, ...message, origin: shop.origin })),
    );
  });

  test('waits until the frame is ready, and comes in order after the greeting', async (t) => {
    const shop = await openShop(t);
    await shop.run(`
      checkout = new Kassa.Checkout({ checkoutKey: '${KEY}', paymentId: '${PAYMENT}', theme: { colorScheme: 'dark' } });
      checkout.on('pay-initialized', () => {});
      checkout.freezeCheckout();
      checkout.setLanguage('da-DK');
      checkout.thawCheckout();
    `);
    assert.deepEqual(await shop.heard(), []);
    await shop.say('ready');
    const heard = await shop.heard();
    assert.deepEqual(types(heard), ['hello', 'freeze', 'language', 'thaw']);
    assert.deepEqual(heard[0]?.data, { listens: ['pay-initialized'], theme: { colorScheme: 'dark' } });
  });

  test('says who listens, each time that this changes', async (t) => {
    const shop = await openReadyShop(t);
    await shop.run(`
      checkout.on('pay-initialized', () => {});
      checkout.on('address-changed', () => {});
      checkout.off('pay-initialized');
      checkout.off('payment-completed');
    `);
    assert.deepEqual(
      (await shop.heard()).map(({ data }) => data),
      [
        { listens: [] },
        { listens: ['pay-initialized'] },
        { listens: ['pay-initialized', 'address-changed'] },
        { listens: ['address-changed'] },
      ],
    );
  });

  test('is told again to a frame that was loaded anew: who listens, theme, language, frozen', async (t) => {
    const shop = await openReadyShop(t);
    await shop.run(`
      checkout.on('ready', () => calls.push('ready'));
      checkout.setTheme({ textColor: 'black' });
      checkout.setLanguage('sv-SE');
      checkout.freezeCheckout();
      checkout.send('payment-order-finalized', true);
    `);
    await (await shop.frame()).evaluate('location.reload()').catch(() => undefined);
    await (await shop.frame()).waitForFunction('heard.length === 0');
    await shop.say('ready');
    const heard = await shop.heard();
    assert.deepEqual(
      heard.map(({ type, data }) => [type, data]),
      [
        ['hello', { listens: ['ready'], theme: { textColor: 'black' } }],
        ['language', 'sv-SE'],
        ['freeze', undefined],
      ],
    );
    assert.deepEqual(await shop.calls(), []);
  });

  test('can be a theme behind a proxy, as frameworks make them, and by methods that are handed on alone', async (t) => {
    const shop = await openReadyShop(t);
    await shop.run("checkout.setTheme(new Proxy({ textColor: 'red', other() {} }, {}))");
    assert.deepEqual((await shop.heard()).at(-1)?.data, { textColor: 'red' });
    await shop.run('{ const { freezeCheckout, thawCheckout } = checkout; freezeCheckout(); thawCheckout(); }');
    assert.deepEqual(types(await shop.heard()), ['hello', 'theme', 'freeze', 'thaw']);
  });
});

describe('events', () => {
  const paymentId = PAYMENT;
  const events: readonly (readonly [event: string, data: unknown])[] = [
    ['payment-completed', { paymentId }],
    ['pay-initialized', PAYMENT],
    ['address-changed', { countryCode: 'SWE', postalCode: '11122', paymentId }],
    ['payment-cancelled', { paymentId }],
  ];
  test('each reaches its listener with what belongs to it, and no other', async (t) => {
    const shop = await openReadyShop(t);
    const all = events.map(([name]) => `checkout.on('${name}', (data) => calls.push(['${name}', data]))`);
    await shop.run(`${all.join(';')}; void 0`);
    for (const [event, data] of events) {
      await shop.say(event, data);
      assert.deepEqual(await shop.run('calls.splice(0)'), [[event, data]]);
    }
  });

  test('ready comes once, when everything that waited has been told', async (t) => {
    const shop = await openShop(t);
    await shop.run(`${OPEN}; checkout.on('ready', (data) => calls.push(data === undefined))`);
    await shop.say('ready');
    await shop.say('ready');
    assert.deepEqual(await shop.calls(), [true]);
  });

  test('have one listener: a page that subscribes again does not hear twice', async (t) => {
    const shop = await openReadyShop(t);
    await shop.run(`
      checkout.on('address-changed', () => calls.push('first'));
      checkout.on('address-changed', () => calls.push('second'));
    `);
    await shop.say('address-changed', { paymentId });
    assert.deepEqual(await shop.calls(), ['second']);
    await shop.run("checkout.off('address-changed')");
    await shop.say('address-changed', { paymentId });
    assert.deepEqual(await shop.calls(), ['second']);
  });

  test('payment-created is the older name of payment-completed, told once and before it', async (t) => {
    const shop = await openReadyShop(t);
    await shop.run(`
      for (const name of ['payment-completed', 'payment-created'])
        checkout.on(name, ({ paymentId }) => calls.push([name, paymentId]));
    `);
    await shop.say('payment-completed', { paymentId });
    await shop.say('payment-completed', { paymentId });
    assert.deepEqual(await shop.calls(), [
      ['payment-created', paymentId],
      ['payment-completed', paymentId],
    ]);
  });

  test('a page that was written for Apple Pay works, and its answer to it is a warning', async (t) => {
    const shop = await openReadyShop(t);
    await shop.run(`
      checkout.on('applepay-contact-updated', () => calls.push('contact'));
      checkout.completeApplePayShippingContactUpdate(10000);
    `);
    assert.deepEqual(await shop.calls(), []);
    assert.equal(shop.warnings.length, 1);
    assert.match(shop.warnings[0] ?? '', /no Apple Pay/);
  });

  test('payment-completed is heard once, by whoever listens when it is first told to somebody', async (t) => {
    const shop = await openReadyShop(t);
    await shop.say('payment-completed', { paymentId });
    await shop.run("checkout.on('payment-completed', () => calls.push('completed'))");
    await shop.say('payment-completed', { paymentId });
    await shop.say('payment-completed', { paymentId });
    assert.deepEqual(await shop.calls(), ['completed']);
  });

  test('pay-initialized is answered while nobody listens to it, so that the payment goes on, and then no more', async (t) => {
    const shop = await openReadyShop(t);
    await shop.say('pay-initialized', PAYMENT);
    const { type, data } = (await shop.heard()).at(-1) as Heard;
    assert.deepEqual([type, data], ['payment-order-finalized', true]);
    await shop.run("checkout.on('pay-initialized', () => {})");
    await shop.say('pay-initialized', PAYMENT);
    assert.deepEqual(types(await shop.heard()), ['hello', 'payment-order-finalized', 'hello']);
  });

  test('a listener that throws does not stop what comes after', async (t) => {
    const shop = await openReadyShop(t);
    await shop.run(`
      checkout.on('address-changed', () => { throw new Error('theirs'); });
      checkout.on('payment-completed', () => calls.push(1));
    `);
    await shop.say('address-changed', { paymentId });
    await shop.say('payment-completed', { paymentId });
    assert.deepEqual(await shop.calls(), [1]);
  });
});

describe('a stranger', () => {
  const LISTEN = "checkout.on('payment-completed', () => calls.push('completed')); void 0";
  const WORD = `{ kassa: 1, type: 'payment-completed', data: { paymentId: '${PAYMENT}' } }`;

  test('cannot speak from another frame, even one of Kassa’s origin, nor from the shop’s own window', async (t) => {
    const shop = await openReadyShop(t);
    await shop.run(LISTEN);
    for (const origin of [stranger.origin, `${kassa.origin}/checkout`]) {
      const other = shop.page.waitForEvent('frameattached');
      await shop.run(`document.body.append(Object.assign(document.createElement('iframe'), { src: '${origin}/' }))`);
      const frame = await other;
      await frame.waitForFunction('typeof say === "function"');
      await frame.evaluate("say('payment-completed', {}); say('height', 999)");
    }
    await shop.run(`postMessage(${WORD}, '*')`);
    await shop.say('nothing');
    assert.deepEqual(await shop.calls(), []);
    assert.equal(await shop.run("document.querySelector('iframe').offsetHeight"), 480);
  });

  test('cannot speak or listen from our own frame, when it was led elsewhere', async (t) => {
    const shop = await openReadyShop(t);
    await shop.run(LISTEN);
    await shop.run(`document.querySelector('iframe').src = '${stranger.origin}/'`);
    const frame = await shop.frame();
    await frame.waitForURL(`${stranger.origin}/`);
    await shop.say('ready');
    await shop.say('payment-completed', { paymentId: PAYMENT });
    await shop.run("checkout.freezeCheckout(); checkout.setTheme({}); checkout.on('address-changed', () => {})");
    assert.deepEqual(await shop.calls(), []);
    assert.deepEqual(await shop.heard(), []);
  });

  test('words that are none of ours are ignored', async (t) => {
    const shop = await openReadyShop(t);
    await shop.run(LISTEN);
    const frame = await shop.frame();
    for (const word of [
      "'payment-completed'",
      'null',
      '7',
      "{ type: 'payment-completed' }",
      "{ kassa: 2, type: 'payment-completed' }",
      '{ kassa: 1 }',
    ])
      await frame.evaluate(`parent.postMessage(${word}, '*')`);
    for (const type of ['toString', '__proto__', 'constructor']) await shop.say(type);
    assert.deepEqual(await shop.calls(), []);
  });
});

describe('the end of a checkout', () => {
  test('cleanup takes the frame and the listeners away, and may be called twice', async (t) => {
    const shop = await openReadyShop(t);
    await shop.run(`
      checkout.on('payment-completed', () => calls.push('completed'));
      checkout.cleanup();
      checkout.cleanup();
      checkout.freezeCheckout();
      checkout.on('address-changed', () => {});
      checkout.setLanguage('sv-SE');
    `);
    assert.equal(await shop.run("document.querySelector('iframe')"), null);
    assert.equal(await shop.run("document.getElementById('dibs-checkout-content').childNodes.length"), 0);
  });

  test('a second checkout in the same container replaces the first, whose end does not touch it', async (t) => {
    const shop = await openReadyShop(t);
    await shop.run(`checkout.on('payment-completed', () => calls.push('first')); var first = checkout; ${OPEN}`);
    await shop.say('ready');
    await shop.run(
      "checkout.on('payment-completed', () => calls.push('second')); first.freezeCheckout(); first.cleanup()",
    );
    assert.equal(await shop.run("document.querySelectorAll('iframe').length"), 1);
    await shop.say('payment-completed', { paymentId: PAYMENT });
    assert.deepEqual(await shop.calls(), ['second']);
    assert.deepEqual(types(await shop.heard()), ['hello', 'hello']);
  });

  test('also when the script was loaded a second time in between', async (t) => {
    const shop = await openReadyShop(t);
    await shop.page.addScriptTag({ url: `${kassa.origin}/v1/checkout.js` });
    await shop.run(OPEN);
    assert.equal(await shop.run("document.querySelectorAll('iframe').length"), 1);
    assert.deepEqual(shop.warnings, []);
  });

  test('two checkouts in two containers do not hear each other', async (t) => {
    const shop = await openReadyShop(t, { body: `${CONTAINER}<div id="other"></div>` });
    await shop.run(`
      checkout.on('payment-completed', () => calls.push('first'));
      var other = new Nets.Checkout({ checkoutKey: '${KEY}', paymentId: '${PAYMENT}', containerId: 'other' });
      other.on('payment-completed', () => calls.push('other'));
    `);
    await shop.say('payment-completed', { paymentId: PAYMENT });
    assert.deepEqual(await shop.calls(), ['first']);
    assert.equal(await shop.run("document.querySelectorAll('iframe').length"), 2);
  });
});
