// Goal: the console speaks to each person in their language, and has no English in another. Method: every text is compared
// with the English one, and requests ask as browsers of several languages do. That none is missing is checked in test/tidy.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { consoleTexts, fill, fillHtml, sayCount } from '../../src/console/texts.ts';
import { html } from '../../src/pages/html.ts';
import { LANGUAGES } from '../../src/pages/language.ts';
import { inviteTo, signIn, Visitor } from '../support/console.ts';
import { shareService } from '../support/service.ts';
import type { SharedService } from '../support/service.ts';
import { NAMES, SAME_AS_ENGLISH } from './same-as-english.ts';

/** Every text with its path: 'signIn.problems.busy' → 'Many people …'. */
function textsOf(value: object, path = ''): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(value).flatMap(([key, inner]: [string, unknown]) =>
      typeof inner === 'string' ? [[path + key, inner] as const] : [...textsOf(inner as object, `${path}${key}.`)],
    ),
  );
}

const english = textsOf(consoleTexts('en'));

/** Beside its values. */
const hasWords = (text: string): boolean => /\p{L}/u.test(text.replaceAll(/\{\w+\}/g, ''));

describe('the texts of the console', () => {
  for (const language of LANGUAGES.filter((each) => each !== 'en')) {
    const same = [...textsOf(consoleTexts(language))].filter(([path, text]) => english.get(path) === text);
    const shared = new Set(same.map(([, text]) => text).filter(hasWords));
    const expected = SAME_AS_ENGLISH[language] ?? [];

    test(`are not English in ${language} by mistake, and what need not be is not on the list`, () => {
      for (const name of NAMES) shared.delete(name);
      assert.deepEqual([...shared].toSorted(), expected.toSorted());
    });
  }

  test('values are filled in and escaped', () => {
    assert.equal(fill('{name}! {name}?', { name: 'Ada' }), 'Ada! Ada?');
    assert.equal(fillHtml('{name}! {name}?', { name: html`<b>A</b>` }).html, '<b>A</b>! <b>A</b>?');
    assert.equal(fillHtml('<i> {name}', { name: '<b>' }).html, '&lt;i&gt; &lt;b&gt;');
  });

  test('numbers take the form that their language asks for', () => {
    const tries = { one: '{count} próba', few: '{count} próby', many: '{count} prób', other: '{count} próby' };
    assert.deepEqual(
      [1, 3, 5, 22].map((number) => sayCount(tries, number, 'pl')),
      ['1 próba', '3 próby', '5 prób', '22 próby'],
    );
    assert.equal(sayCount({ one: 'a try', other: '{count} tries' }, 1_234, 'de'), '1.234 tries');
  });
});

describe('the language of a person', () => {
  let service: SharedService;
  before(() => {
    service = shareService();
  });
  after(() => service.close());

  const langOf = async (answer: Response): Promise<string | undefined> =>
    /<html lang="(\w+)">/.exec(await answer.text())?.[1];

  test('before anybody is known it is the browser’s, else English', async () => {
    const visitor = new Visitor(service.url);
    for (const [asked, expected] of [
      ['sv-SE,sv;q=0.9,en;q=0.8', 'sv'],
      ['en;q=0.5, no', 'nb'],
      ['xx', 'en'],
      [undefined, 'en'],
    ] as const) {
      const answer = await visitor.ask('/console/sign-in', { more: { 'accept-language': asked } });
      assert.equal(await langOf(answer), expected, asked);
    }
  });

  test('what a person chooses holds wherever they sign in, and can be given up again', async () => {
    const { merchant } = await service.openShop();
    const visitor = await signIn(service, merchant.id, 'viewer');
    const shown = async (path = '/console/account'): Promise<string | undefined> =>
      langOf(await visitor.ask(path, { more: { 'accept-language': 'de' } }));
    assert.equal(await shown(), 'de');
    const saved = await visitor.submit('/console/account/language', { language: 'fi' });
    assert.equal(saved.headers.get('location'), '/console/account');
    assert.equal(await shown(), 'fi');
    assert.equal(await shown(`/console/${merchant.id}/payments`), 'fi');
    assert.equal(
      await shown(`/console/${merchant.id}/nothing`),
      undefined,
      'what is no page is not one of the console',
    );
    assert.equal(await shown(`/console/${merchant.id}/team`), 'fi', 'also where it says that there is nothing');
    assert.match(await (await visitor.ask('/console/account')).text(), /<option value="fi" selected>Suomi/);
    for (const none of ['', 'xx', 'FI', "'"]) {
      await visitor.submit('/console/account/language', { language: none });
      assert.equal(await shown(), 'de', none);
    }
  });

  test('nobody chooses for somebody else', async () => {
    const { merchant } = await service.openShop();
    const { link } = await inviteTo(service, merchant.id, 'viewer');
    const stranger = new Visitor(service.url);
    const answer = await stranger.submit('/console/account/language', { language: 'fi' });
    assert.equal(answer.headers.get('location'), '/console/sign-in');
    assert.equal(await langOf(await stranger.ask(new URL(link).pathname)), 'en');
  });
});
