// Goal: the script for shops stays small and classic, and its declaration and its document say what it does. Method:
// the very texts that the service sends are looked at, and a shop's code is compiled against the declaration, right and
// wrong.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import type { TestContext } from 'node:test';
import { Script } from 'node:vm';
import { brotliCompressSync } from 'node:zlib';
import { bundle, shopScript, shopScriptTypes } from '../../src/checkout/assets.ts';
import { readDocument } from '../start/documents.ts';
import { root } from '../../proof/program.ts';

// A page of a shop waits for it before the frame can even begin.
const MOST_BYTES = 3_072;

const source = readFileSync(join(root, 'web/checkout/checkout.ts'), 'utf8');
const declaration = readFileSync(join(root, 'web/checkout/checkout.d.ts'), 'utf8');

/** The names that an interface of the declaration has. */
function membersOf(name: string): string[] {
  const body = new RegExp(`^interface ${name} \\{\\n([\\s\\S]*?)^\\}`, 'm').exec(declaration)?.[1] ?? '';
  const found = Array.from(body.matchAll(/^ {2}(?:readonly )?'?([\w-]+)'?\??[:(<]/gm), ([, member = '']) => member);
  assert.ok(found.length > 0, name);
  return found;
}

describe('what the service sends', () => {
  before(bundle.make);

  test(`the script takes less than ${MOST_BYTES} bytes`, () => {
    const { length } = brotliCompressSync(shopScript().text);
    assert.ok(length < MOST_BYTES, `${length} bytes`);
  });

  test('the script is a classic one: it imports and exports nothing, and evaluates nothing', () => {
    assert.ok(new Script(shopScript().text));
    assert.doesNotMatch(shopScript().text, /\beval\(|new Function|innerHTML|setAttribute/);
  });

  test('the script tells nobody but the frame’s origin', () => {
    assert.equal(shopScript().text.match(/postMessage\(/g)?.length, 1);
    assert.doesNotMatch(shopScript().text, /["'`]\*["'`]/);
  });

  test('the declaration comes whole', () => {
    assert.equal(shopScriptTypes.text, declaration);
  });
});

describe('the declaration', () => {
  test('has the events that the script has, and no other', () => {
    const [, listed = ''] = /const EVENTS = \[([^\]]*)\]/.exec(source) ?? [];
    const events = Array.from(listed.matchAll(/'([^']+)'/g), ([, event = '']) => event);
    assert.deepEqual(membersOf('KassaCheckoutEvents').toSorted(), events.toSorted());
  });

  test('has a sentence on everything in it', () => {
    const lines = declaration.split('\n');
    const bare = lines.filter(
      (line, index) =>
        /^(?: {2}[\w'].*|interface (?!Window).*|type .*|declare .*)[;{]$/.test(line) &&
        !lines[index - 1]?.endsWith('*/'),
    );
    assert.deepEqual(bare, []);
  });

  test('takes what shops write, in a page without modules and with every check on', (t) => {
    const complaints = compile(
      t,
      `
      const theme: KassaTheme = { primaryColor: '#123', buttonRadius: 4, colorScheme: 'dark' };
      const checkout = new Dibs.Checkout({ checkoutKey: 'a', paymentId: 'b', containerId: 'c', language: 'sv-SE', theme });
      const same: KassaCheckout = new window.Nets.Checkout({ checkoutKey: 'a', paymentId: 'b', language: 'fr-FR' });
      checkout.on('payment-completed', ({ paymentId }) => location.assign('/thanks?' + paymentId.toUpperCase()));
      checkout.on('pay-initialized', (paymentId) => { if (paymentId.length) same.send('payment-order-finalized', true); });
      checkout.on('address-changed', async ({ countryCode, postalCode, paymentId }) => {
        [countryCode, postalCode, paymentId].join();
      });
      checkout.on('payment-cancelled', () => checkout.cleanup());
      checkout.on('ready', () => { checkout.freezeCheckout(); checkout.thawCheckout(); });
      checkout.off('ready');
      checkout.setTheme({});
      checkout.setLanguage('de');
      if (Kassa === Nets) window.Kassa.Checkout.length;
    `,
    );
    assert.equal(complaints, '');
  });

  test('refuses mistakes', (t) => {
    const mistakes = [
      "new Kassa.Checkout({ checkoutKey: 'a' });",
      "new Kassa.Checkout({ checkoutKey: 'a', paymentId: 'b', containerID: 'c' });",
      "new Kassa.Checkout({ checkoutKey: 'a', paymentId: 'b', theme: { colour: 'red' } });",
      "checkout.on('payment-complete', () => {});",
      "checkout.on('pay-initialized', ({ paymentId }) => paymentId);",
      "checkout.on('payment-completed', (paymentId: string) => paymentId);",
      "checkout.send('payment-order-finalized', 'yes');",
      "checkout.send('payment-order-finalised', true);",
      'checkout.setTheme();',
      "checkout.setTheme({ colorScheme: 'pink' });",
    ];
    const lines = mistakes.map((mistake) => `// @ts-expect-error\n${mistake}`);
    assert.equal(compile(t, `declare const checkout: KassaCheckout;\n${lines.join('\n')}`), '');
  });
});

function compile(t: TestContext, code: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'kassa-types-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'checkout.d.ts'), declaration);
  writeFileSync(join(folder, 'shop.ts'), `/// <reference path="./checkout.d.ts" />\n${code}`);
  const flags = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--lib', 'es2022,dom', '--types', ''];
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const { stdout, stderr } = spawnSync(process.execPath, [tsc, ...flags, 'shop.ts'], { cwd: folder, encoding: 'utf8' });
  return stdout + stderr;
}

describe('checkout.md', () => {
  const { text } = readDocument('docs/integrate/checkout.md');

  for (const name of ['KassaCheckoutOptions', 'KassaCheckoutEvents', 'KassaTheme'])
    test(`has a row with every name of ${name}`, () => {
      const rows = text.split('\n').filter((line) => line.startsWith('| `'));
      const named = new Set(rows.flatMap((row) => row.split(' | ')[0]?.match(/(?<=`)[\w-]+(?=`)/g) ?? []));
      assert.deepEqual(
        membersOf(name).filter((member) => !named.has(member)),
        [],
      );
    });

  test('has a row for every method', () => {
    for (const method of membersOf('KassaCheckout')) assert.ok(text.includes(`| \`${method}(`), method);
  });
});
