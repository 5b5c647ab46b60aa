// Goal: every language says everything that English says, with the same values in it and in the forms that its numbers
// need, and pages give each text its values. Method: the files of texts are read as data and compared with English text
// by text; calls in the sources are held against the braces of the text that they name.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { LANGUAGES, localeOf } from '../../src/pages/language.ts';
import { describeFinding, expectNone, lineAt, readSources, root, sourceOf } from './source.ts';
import type { Finding, Source } from './source.ts';

const NAMES = ['console', 'checkout'];
type Texts = string | { readonly [key: string]: Texts };

const bracesIn = (text: string): string[] => [
  ...new Set(Array.from(text.matchAll(/\{(\w+)\}/g), ([, name = '']) => name).toSorted()),
];

const isCounted = (texts: Exclude<Texts, string>): boolean => Object.keys(texts).join(' ') === 'one other';

/** The forms that whole numbers ask for, as Unicode orders them. What is not whole takes the last one. */
function formsOf(locale: string): string[] {
  const rules = new Intl.PluralRules(locale);
  const asked = new Set(Array.from({ length: 1_001 }, (_, number): string => rules.select(number)).concat('other'));
  return ['zero', 'one', 'two', 'few', 'many', 'other'].filter((form) => asked.has(form));
}

function judgeText(english: string, text: string, form = 'other'): string[] {
  if (text.trim() === '') return ['is empty'];
  if (text !== text.trim().replaceAll(/ {2,}/g, ' ')) return ['has a space too many'];
  // One, a few: some are said without their number.
  const count = form === 'other' ? [] : ['count'];
  const [wanted, found] = [english, text].map((each) =>
    [...new Set([...bracesIn(each), ...count])].toSorted().join(', '),
  );
  return wanted === found ? [] : [`has the values ${found || 'none'}, English has ${wanted || 'none'}`];
}

/** What of a language differs from English in more than its words. */
function judge(english: Texts, texts: Texts | undefined, locale: string, path: readonly string[] = []): string[] {
  const say = (what: string): string => `${path.join('.') || 'it'} ${what}`;
  if (texts === undefined) return [say('is missing')];
  if (typeof english === 'string')
    return typeof texts === 'string' ? judgeText(english, texts).map(say) : [say('is no text')];
  if (typeof texts === 'string') return [say('is no group of texts')];
  const forms = isCounted(english) ? formsOf(locale) : undefined;
  const [wanted, found] = [forms ?? Object.keys(english), Object.keys(texts)];
  const extra = found.filter((key) => !wanted.includes(key)).map((key) => say(`has ${key}, which English has not`));
  const inner = wanted.flatMap((key) => {
    const [text, other] = [texts[key], english['other']];
    if (forms === undefined) return judge(english[key] ?? '', text, locale, [...path, key]);
    if (typeof text !== 'string') return [say(`has no form for ${key}`)];
    return judgeText(typeof other === 'string' ? other : '', text, key).map((what) => say(`${key} ${what}`));
  });
  const complaints = [...extra, ...inner];
  if (complaints.length > 0 || wanted.join() === found.join()) return complaints;
  return [
    say(`has its texts in another order than English: ${found.find((key, at) => key !== wanted[at])} comes early`),
  ];
}

const fileOf = (name: string, language: string): string => join(root, 'texts', `${name}.${language}.json`);
const read = (name: string, language: string): Texts =>
  JSON.parse(readFileSync(fileOf(name, language), 'utf8')) as Texts;

describe('the texts', () => {
  test('are two files for each language that has an entry, and no other', () => {
    const expected = NAMES.flatMap((name) => LANGUAGES.map((language) => `${name}.${language}.json`));
    assert.deepEqual(readdirSync(join(root, 'texts')).toSorted(), expected.toSorted());
  });

  for (const name of NAMES)
    for (const language of LANGUAGES)
      test(`${name} in ${language}: all texts in the order of English, with their values and forms, each on a line`, () => {
        const texts = read(name, language);
        expectNone(
          judge(read(name, 'en'), texts, localeOf(language)).map((what) => `texts/${name}.${language}.json: ${what}.`),
        );
        // So no text stands there twice, of which the first would be lost.
        assert.equal(readFileSync(fileOf(name, language), 'utf8'), `${JSON.stringify(texts, null, 2)}\n`);
      });

  test('what differs is found', () => {
    const english = { a: 'A {name}', b: { c: 'C' }, tries: { one: '{count} try', other: '{count} tries' } };
    const tries = { one: '{count} próba', few: '{count} próby', many: '{count} prób', other: '{count} próby' };
    const good = { a: '{name} a', b: { c: 'c' }, tries };
    assert.deepEqual(judge(english, good, 'pl-PL'), []);
    assert.deepEqual(judge(english, { ...good, tries: { ...tries, one: 'jedna próba' } }, 'pl-PL'), []);
    const { b: _b, ...without } = good;
    const { few: _few, ...fewer } = tries;
    const bad: readonly (readonly [texts: Texts, complaint: string])[] = [
      [without, 'b is missing'],
      [{ ...good, d: 'd' }, 'it has d, which English has not'],
      [{ ...good, a: 'a {nam}' }, 'a has the values nam, English has name'],
      [{ ...good, a: 'a' }, 'a has the values none, English has name'],
      [{ ...good, b: { c: '' } }, 'b.c is empty'],
      [{ ...good, b: { c: 'c ' } }, 'b.c has a space too many'],
      [{ ...good, b: 'c' }, 'b is no group of texts'],
      [{ ...good, b: { c: { d: 'd' } } }, 'b.c is no text'],
      [{ ...good, tries: fewer }, 'tries has no form for few'],
      [{ ...good, tries: { ...tries, two: '2' } }, 'tries has two, which English has not'],
      [
        { ...good, tries: { ...tries, few: '{number} próby' } },
        'tries few has the values count, number, English has count',
      ],
      [{ ...good, tries: { ...tries, other: 'próby' } }, 'tries other has the values none, English has count'],
      [{ b: { c: 'c' }, a: 'a {name}', tries }, 'it has its texts in another order than English: b comes early'],
    ];
    for (const [texts, complaint] of bad) assert.deepEqual(judge(english, texts, 'pl-PL'), [complaint]);
  });
});

/** The braces of every text, by the last name of its path and by that of its group: which of them is chosen at run time. */
function bracesByName(texts: Texts, path: readonly string[] = [], all = new Map<string, Set<string>>()) {
  if (typeof texts === 'string')
    for (const name of path.slice(-2)) all.set(name, (all.get(name) ?? new Set()).add(bracesIn(texts).join()));
  else for (const [key, inner] of Object.entries(texts)) bracesByName(inner, [...path, key], all);
  return all;
}

/** Parts between commas that stand in no bracket. */
function partsOf(code: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const sign of code) {
    if ('([{'.includes(sign)) depth += 1;
    if (')]}'.includes(sign)) depth -= 1;
    if (depth < 0) break;
    if (sign === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += sign;
  }
  return parts.map((part) => part.trim());
}

type Call = { readonly names: readonly string[]; readonly values: string; readonly at: number };

/** Calls that name a text and give its values one by one: fill(texts.revoked, { name }). */
const callsIn = ({ code, path }: Source): Call[] =>
  Array.from(code.matchAll(/\b(?:fill|fillIn|fillHtml)\(/g), ({ index, 0: call }) => {
    const [text = '', values = ''] = partsOf(code.slice(index + call.length));
    const texts = text.replace(/^formOf\(([^,]*),.*$/s, '$1').split(/\s[?:]\s/);
    // A script has names of its own for what the page hands to it.
    const named = path.startsWith('web/') ? /\.(\w+)(?:\[[^\]]*\])?$/ : /(\w+)(?:\[[^\]]*\])?$/;
    const names = texts.flatMap((each) => named.exec(each)?.[1] ?? []);
    const given = /^\{([\s\S]*)\}$/.exec(values)?.[1];
    if (given === undefined || given.includes('...')) return undefined;
    const keys = partsOf(given).flatMap((part) => /^\w+/.exec(part)?.[0] ?? []);
    return { names: names.slice(texts.length > 1 ? 1 : 0), values: keys.toSorted().join(), at: index };
  }).filter((call) => call !== undefined);

const english = new Map(NAMES.map((name) => [name, bracesByName(read(name, 'en'))]));

function judgeCalls(source: Source): Finding[] {
  const known = english.get(/^(?:src|web)\/checkout\//.test(source.path) ? 'checkout' : 'console');
  return callsIn(source).flatMap(({ names, values, at }) =>
    names
      .filter((name) => known?.has(name) && !known.get(name)?.has(values))
      .map((name) => ({
        path: source.path,
        line: lineAt(source.code, at),
        advice: `${name} is given ${values || 'no value'}, and has ${[...(known?.get(name) ?? [])].join(' or ') || 'none'}.`,
      })),
  );
}

describe('the values of texts', () => {
  const pages = readSources().filter(({ path }) => /^(?:src|web)\/(?:console|checkout)\/.*\.ts$/.test(path));

  test('are given where a text is said', () => {
    assert.ok(pages.flatMap(callsIn).length > 100);
    expectNone(pages.flatMap(judgeCalls).map(describeFinding));
  });

  test('are missed where they are not', () => {
    const judged = (text: string): number => judgeCalls(sourceOf('src/console/x.ts', text)).length;
    assert.equal(judged('fill(texts.revokeKey, { name: key.name });'), 0);
    assert.equal(judged('fill(texts.revokeKey, { nam: key.name });'), 1);
    assert.equal(judged('fill(texts.revokeKey, {});'), 1);
    assert.equal(judged('fillHtml(at < end ? texts.untilFuture : texts.untilPast, { day: html`<b>${time}</b>` });'), 2);
    assert.equal(judged('fill(formOf(texts.failing, count, language), { number: show(count) });'), 0);
    assert.equal(judged('fill(formOf(texts.failing, count, language), { count });'), 1);
  });
});
