// Goal: what people read at the console stands in texts, in every language, and not in the pages. Method: what the
// templates of src/console and the scripts of web/console have between their tags, and in attributes that are read to
// people, is held against the few words that are the same everywhere; what pages take from elsewhere is looked for by name.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { consoleTexts } from '../../src/console/texts.ts';
import { SELLER_FIELDS } from '../../src/domain/seller.ts';
import { describeFinding, expectNone, lineAt, readSources, sourceOf } from './source.ts';
import type { Finding, Source } from './source.ts';

// Names, commands, and what is no word.
const EVERYWHERE = new Set([
  'Kassa',
  '· Kassa',
  'UTC',
  'Ctrl K',
  'ms',
  'npx kassa user link',
  'npx kassa user link EMAIL',
  'kassa verify',
  'kassa reconcile',
  'GET /v1/payments/',
  '5000 SEK, 500 EUR',
]);
// A name, and what only a foreign page is told.
const NO_TEXTS = new Set([
  'Samsung Internet',
  'This works from the pages of the console only.',
  'No text may hold a NUL character.',
]);
const READ_TO_PEOPLE = /\b(?:title|aria-label|placeholder|alt|data-label|label)="([^"$]*\p{L}[^"$]*)"/gu;

/** The text with each ${…} of a template, however deep, as a hole. */
function withoutValues(text: string): string {
  let [out, depth] = ['', 0];
  for (let at = 0; at < text.length; at += 1) {
    if (text.startsWith('${', at)) depth += 1;
    out += depth > 0 && text[at] !== '\n' ? '\0' : text[at];
    if (depth > 0 && text[at] === '{' && !text.startsWith('${', at - 1)) depth += 1;
    if (depth > 0 && text[at] === '}') depth -= 1;
  }
  return out;
}

/** Where a template of HTML begins and ends: inner ones are of their own. */
function templatesOf(text: string): { readonly from: number; readonly text: string }[] {
  const starts = Array.from(text.matchAll(/html`/g), ({ index }) => index + 'html`'.length);
  return starts.map((from) => {
    let [at, depth] = [from, 0];
    while (at < text.length && !(text[at] === '`' && depth === 0)) {
      if (text.startsWith('${', at)) depth += 1;
      else if (depth > 0 && text[at] === '}') depth -= 1;
      else if (depth > 0 && text[at] === '`') at = endOfTemplate(text, at + 1);
      at += 1;
    }
    return { from, text: text.slice(from, at) };
  });
}

function endOfTemplate(text: string, from: number): number {
  let [at, depth] = [from, 0];
  while (at < text.length && !(text[at] === '`' && depth === 0)) {
    if (text.startsWith('${', at)) depth += 1;
    else if (depth > 0 && text[at] === '}') depth -= 1;
    else if (depth > 0 && text[at] === '`') at = endOfTemplate(text, at + 1);
    at += 1;
  }
  return at;
}

function findWords(source: Source): Finding[] {
  return templatesOf(source.text).flatMap(({ from, text }) => {
    const bare = withoutValues(text);
    const between = Array.from(bare.matchAll(/>([^<>]*\p{L}[^<>]*)(?=<|$)/gu), (found) => ({
      at: found.index + 1,
      words: (found[1] ?? '').replaceAll(/[\0\s]+/g, ' ').trim(),
    }));
    const read = Array.from(bare.matchAll(READ_TO_PEOPLE), (found) => ({
      at: found.index,
      words: (found[1] ?? '').replaceAll(/[\0\s]+/g, ' ').trim(),
    }));
    return [...between, ...read]
      .filter(({ words }) => /\p{L}{2}/u.test(words.replaceAll(/&\w+;/g, '')) && !EVERYWHERE.has(words))
      .map(({ at, words }) => ({
        path: source.path,
        line: lineAt(source.text, from + at),
        advice: `"${words}" belongs into texts/console.LANG.json, in every language.`,
      }));
  });
}

/** A sentence that a script says, or a page hands on: a text that begins like one. */
function findSentences(source: Source): Finding[] {
  return Array.from(source.text.matchAll(/(?<![=\w])'([A-Z][a-z]+(?: [\p{L}’,:;]+)+[.?]?)'/gu))
    .filter(([, words = '']) => !NO_TEXTS.has(words))
    .map(({ index, 1: words = '' }) => ({
      path: source.path,
      line: lineAt(source.text, index),
      advice: `"${words}" belongs into texts/console.LANG.json, in every language.`,
    }));
}

// What is English wherever it is used: the words of a refusal as the API and commands give them, and a name of the code
// that is taken apart for its words.
const BORROWED = [
  /(?<!err: \w+)\.why\b/g,
  /\b(?:sayFault|refuseUrl|refuseAddress)\(/g,
  /replaceAll\(\/\[A-Z\]\/g/g,
  /\b(?:fill|fillHtml)\([^,]+, (?:made|changed|added|sent|outcome|refused)\)/g,
];

/** Words that a page takes from elsewhere, where they are in one language alone. */
const findBorrowed = (source: Source): Finding[] =>
  BORROWED.flatMap((pattern) =>
    Array.from(source.text.matchAll(pattern), ({ index, 0: found }) => ({
      path: source.path,
      line: lineAt(source.text, index),
      advice: `"${found}" gives English: say it by texts/console.LANG.json.`,
    })),
  );

const isPage = ({ path }: Source): boolean => /^src\/console\/.*\.ts$/.test(path) && !path.endsWith('.test.ts');
const isScript = ({ path }: Source): boolean => /^web\/console\/.*\.ts$/.test(path);

// Schemas describe the console's own API to those who read its code.
const DESCRIBED = /description: '|title: '/;

describe('texts of the console', () => {
  const sources = readSources();

  test('pages have no words of their own', () => {
    assert.ok(sources.filter(isPage).length > 50);
    expectNone(sources.filter(isPage).flatMap(findWords).map(describeFinding));
  });

  test('neither pages nor scripts say a sentence of their own', () => {
    const findings = sources
      .filter((source) => isPage(source) || isScript(source))
      .flatMap((source) =>
        findSentences(source).filter(({ line }) => !DESCRIBED.test(source.text.split('\n')[line - 1] ?? '')),
      );
    expectNone(findings.map(describeFinding));
  });

  test('pages take no English from elsewhere', () => {
    expectNone(sources.filter(isPage).flatMap(findBorrowed).map(describeFinding));
  });

  test('every fact of the audit has a name, and none has one that is never told of', () => {
    const { text } = sources.find(({ path }) => path === 'src/domain/audit.ts') ?? assert.fail('no audit');
    const [, union = ''] = /export type Fact =\n([^;]*);/.exec(text) ?? [];
    const facts = Array.from(union.matchAll(/'(\w+)'/g), ([, name = '']) => name);
    assert.ok(facts.length > 30);
    assert.deepEqual(Object.keys(consoleTexts('en').audit.facts), facts);
    const seller = Object.keys(consoleTexts('en').settings.sellerFields).toSorted();
    assert.deepEqual(seller, SELLER_FIELDS.toSorted());
  });

  test('what it looks for is found', () => {
    const bad = (text: string): Source => sourceOf('src/console/x.ts', text);
    assert.equal(findWords(bad('html`<p>Hello ${name}</p>`')).length, 1);
    assert.equal(findWords(bad('html`<p>${html`<b>Hello</b>`}</p>`')).length, 1);
    assert.equal(findWords(bad('html`<input placeholder="Your name" />`')).length, 1);
    assert.equal(findWords(bad('html`<p class="hint">${texts.hello} <code>kassa verify</code></p>`')).length, 0);
    assert.equal(findSentences(bad("refuse('Choose a role.')")).length, 1);
    assert.equal(findSentences(bad("refuse(texts.chooseRole, 'move money')")).length, 0);
    assert.equal(findBorrowed(bad('refuse(400, made.why)')).length, 1);
    assert.equal(findBorrowed(bad('fill(textsFor(place).badAddress, made)')).length, 1);
    assert.equal(findBorrowed(bad('log.warn({ err: came.why })')).length, 0);
    assert.equal(findBorrowed(bad('fill(texts.linked, linked.person)')).length, 0);
  });
});
