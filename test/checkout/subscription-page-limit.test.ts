// Goal: whoever asks for the page of a subscription far too often is told so in words of its own, in every language, and
// can go on in a moment. Method: many requests at once to a service of its own, until one is too many; the page as it is
// drawn for each language.
import assert from 'node:assert/strict';
import { checkoutTexts } from '../../src/checkout/texts.ts';
import { LANGUAGES } from '../../src/pages/language.ts';
import type { Language } from '../../src/pages/language.ts';
import { after, before, describe, test } from 'node:test';
import { renderFault } from '../../src/checkout/page/fault-page.ts';
import type { Reply } from '../support/client.ts';
import { startService } from '../support/service.ts';
import type { Service } from '../support/service.ts';

// More than twice what an address may in a second.
const AT_ONCE = 120;
const PATH = `/subscriptions/${'0'.repeat(32)}/${'0'.repeat(32)}`;

function expectTold(page: string, language: Language): void {
  const { title, text } = checkoutTexts(language).subscriptionPage.tooMany;
  const { databaseAway, tryAgain } = checkoutTexts(language).faults;
  for (const words of [`<h1 tabindex="-1">${title}</h1>`, text, tryAgain]) assert.ok(page.includes(words), words);
  assert.ok(!page.includes(databaseAway.title) && !page.includes(databaseAway.text));
  assert.ok(page.includes('data-fault="too_many_requests"') && page.includes('rel="stylesheet"'));
}

describe('too many requests for pages of subscriptions', () => {
  let service: Service;
  before(async () => {
    service = await startService();
  });
  after(() => service.stop());

  test('429 with a page, and when to come again', async () => {
    let refused: Reply | undefined;
    // A machine that is busy may take them one by one, and none of them is too many then.
    while (refused === undefined) {
      const asked = Array.from({ length: AT_ONCE }, () => service.client().get(`${PATH}?language=sv`));
      refused = (await Promise.all(asked)).find(({ status }) => status === 429);
    }
    expectTold(refused.text, 'sv');
    assert.match(refused.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
    assert.equal(refused.headers.get('cache-control'), 'no-store');
  });

  for (const language of LANGUAGES)
    test(`${language}: in words of its own`, () => {
      const assets = { css: '/checkout.css', js: '/checkout.js' };
      const frame = { mode: 'hosted', language, root: '', assets, self: PATH } as const;
      expectTold(renderFault({ ...frame, fault: 'too_many_requests' }), language);
    });
});
