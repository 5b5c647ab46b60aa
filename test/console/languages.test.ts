// Goal: the console says everything in every language, with the same values in it, and speaks to each person in theirs.
// Method: every catalogue is compared with English text by text, and requests ask as browsers of several languages do.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { fill, fillHtml, sayCount } from '../../src/console/languages/texts.ts';
import type { TextsOf } from '../../src/console/languages/texts.ts';
import { html } from '../../src/pages/html.ts';
import { LANGUAGES, localeOf } from '../../src/pages/language.ts';
import type { Language } from '../../src/pages/language.ts';
import { inviteTo, signIn, Visitor } from '../support/console.ts';
import { shareService } from '../support/service.ts';
import type { SharedService } from '../support/service.ts';
import { NAMES, SAME_AS_ENGLISH } from './same-as-english.ts';

const FOLDER = new URL('../../src/console/languages/', import.meta.url);
const AREAS = readdirSync(FOLDER, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

type Texts = ReadonlyMap<string, string>;

/** Every text with its path: 'problems.busy' → 'Many people …'. */
function textsOf(value: object, path = ''): Texts {
  return new Map(
    Object.entries(value).flatMap(([key, inner]: [string, unknown]) =>
      typeof inner === 'string' ? [[path + key, inner] as const] : [...textsOf(inner as object, `${path}${key}.`)],
    ),
  );
}

const read = async (area: string, language: Language): Promise<Texts> => {
  const file = (await import(new URL(`${area}/${language}.ts`, FOLDER).href)) as Readonly<Record<string, object>>;
  return textsOf(file[language] ?? {});
};

const bracesIn = (text: string): string[] => [
  ...new Set(Array.from(text.matchAll(/\{(\w+)\}/g), ([, name = '']) => name).toSorted()),
];

/** Beside its values. */
const hasWords = (text: string): boolean => /\p{L}/u.test(text.replaceAll(/\{\w+\}/g, ''));

const FORM = /\.(?:zero|one|two|few|many)$/;
const formsOf = (language: Language): string[] =>
  new Intl.PluralRules(localeOf(language)).resolvedOptions().pluralCategories.filter(
    // Of millions: no number here is that large.
    (form) => language === 'pl' || form !== 'many',
  );

describe('the texts of the console', () => {
  test('there are areas, and each is in every language', () => {
    assert.ok(AREAS.includes('frame'));
    for (const area of AREAS)
      assert.deepEqual(
        readdirSync(new URL(`${area}/`, FOLDER)).toSorted(),
        LANGUAGES.map((language) => `${language}.ts`).toSorted(),
        area,
      );
  });

  for (const area of AREAS)
    for (const language of LANGUAGES)
      test(`${area} in ${language}: all texts, their values, their forms, and no English`, async () => {
        const [english, texts] = [await read(area, 'en'), await read(area, language)];
        const plain = (all: Texts): string[] => [...all.keys()].filter((path) => !FORM.test(path)).toSorted();
        assert.deepEqual(plain(texts), plain(english));
        for (const [path, text] of texts) {
          assert.equal(text, text.trim(), path);
          assert.notEqual(text, '', path);
          const values = bracesIn(english.get(path) ?? english.get(path.replace(FORM, '.other')) ?? '');
          // One, a few: some are said without their number.
          const found = FORM.test(path) ? [...new Set([...bracesIn(text), 'count'])].toSorted() : bracesIn(text);
          assert.deepEqual(found, FORM.test(path) ? [...new Set([...values, 'count'])].toSorted() : values, path);
        }
        const counted = [...english.keys()].filter((path) => path.endsWith('.one')).map((path) => path.slice(0, -4));
        for (const path of counted)
          assert.deepEqual(
            formsOf(language).filter((form) => !texts.has(`${path}.${form}`)),
            [],
            path,
          );
        if (language === 'en') return;
        const same = [...texts].filter(([path, text]) => hasWords(text) && english.get(path) === text);
        assert.deepEqual(
          same.map(([, text]) => text).filter((text) => ![...NAMES, ...SAME_AS_ENGLISH[language]].includes(text)),
          [],
        );
      });

  test('what no language needs to share with English is not on the list', async () => {
    for (const language of LANGUAGES) {
      const shared = new Set<string>();
      for (const area of AREAS) {
        const english = await read(area, 'en');
        for (const [path, text] of await read(area, language)) if (english.get(path) === text) shared.add(text);
      }
      if (language !== 'en')
        assert.deepEqual(
          SAME_AS_ENGLISH[language].filter((text) => !shared.has(text)),
          [],
          language,
        );
    }
  });

  test('values are filled in, escaped, and asked for by the type', () => {
    type Given = TextsOf<{ readonly hello: 'Hello {name}, {name}' }>;
    const texts: Given = { hello: '{name}! {name}?' };
    assert.equal(fill(texts.hello, { name: 'Ada' }), 'Ada! Ada?');
    assert.equal(fillHtml(texts.hello, { name: html`<b>A</b>` }).html, '<b>A</b>! <b>A</b>?');
    const marked: Given = { hello: '<i> {name}' };
    assert.equal(fillHtml(marked.hello, { name: '<b>' }).html, '&lt;i&gt; &lt;b&gt;');
    // @ts-expect-error a text without its value does not compile
    const without: Given = { hello: 'Hello' };
    // @ts-expect-error and neither does a value that is not given
    assert.equal(fill(texts.hello, {}), texts.hello);
    assert.ok(without);
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
