// Goal: the audit is read in the language of whoever looks: names of facts, values that are words of ours, amounts and
// times. Method: acts by use cases, and the page as browsers of several languages get it.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { KASSA } from '../../src/domain/audit.ts';
import { recordExport } from '../../src/merchants/exports.ts';
import { invitePerson } from '../../src/merchants/people.ts';
import { issueKey } from '../../src/merchants/keys.ts';
import { changeMerchant } from '../../src/merchants/merchants.ts';
import { recordAct } from '../../src/store/audit/audit.ts';
import { withinTransaction } from '../../src/store/connections/transaction.ts';
import { LANGUAGES } from '../../src/pages/language.ts';
import { signIn } from '../support/console.ts';
import { shareService } from '../support/service.ts';
import type { SharedService } from '../support/service.ts';

const textOf = (page: string): string => page.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');

describe('the page of the audit', () => {
  let service: SharedService;
  before(() => {
    service = shareService();
  });
  after(() => service.close());

  async function open() {
    const { merchant } = await service.openShop();
    const { pool } = service;
    await changeMerchant(pool, KASSA, merchant.id, { settings: { strictItems: true }, seller: { city: 'Oslo' } });
    await issueKey(pool, KASSA, merchant.id, { name: 'Till', scopes: ['read'], expires: { afterDays: 30 } });
    await invitePerson(pool, KASSA, { email: `o@${merchant.id}.example`, merchantId: merchant.id, role: 'operator' });
    const admin = await signIn(service, merchant.id, 'admin');
    const look = async (language: string): Promise<string> =>
      (await admin.ask(`/console/${merchant.id}/audit`, { more: { 'accept-language': language } })).text();
    return { merchant, look };
  }

  test('names and values are in the reader’s language', async () => {
    const { merchant, look } = await open();
    const charged = { amount: 123_400, currency: 'SEK', movementId: '0'.repeat(32) };
    const act = { actor: KASSA, action: 'payment.charge', subject: '1'.repeat(32), after: charged } as const;
    await withinTransaction(service.pool, (within) => recordAct(within, merchant, act));
    const german = textOf(await look('de'));
    for (const words of [
      'Strenge Positionen nein → ja',
      'Verkäufer: Ort – → Oslo',
      'Rechte lesen',
      'Rolle Sachbearbeiter',
      'Mit Link',
      'Betrag 1.234,00 SEK Bewegung',
    ])
      assert.ok(german.includes(words), `${words} is not in: ${german}`);
    assert.match(await look('de'), /<dt>Läuft ab<\/dt>\s*<dd><time datetime="/);
    assert.ok(
      (await look('de')).includes(`<a href="/console/${merchant.id}/payments/${'1'.repeat(32)}">`),
      'a way to it',
    );
    const english = textOf(await look('en'));
    for (const words of ['Strict items no → yes', 'Seller: city – → Oslo', 'Role operator', 'Amount 1,234.00 SEK'])
      assert.ok(english.includes(words), `${words} is not in: ${english}`);
  });

  test('no language but English has names of its facts', async () => {
    const { look } = await open();
    const namesIn = (page: string): Set<string> =>
      new Set(Array.from(page.matchAll(/<dt>([^<]*)<\/dt>/g), ([, name = '']) => name.trim()));
    const english = namesIn(await look('en'));
    assert.ok(english.has('Strict items') && english.has('Ends with') && english.size >= 8, [...english].join());
    for (const language of LANGUAGES.filter((each) => each !== 'en')) {
      // Words that a language has borrowed are one or two.
      const same = [...namesIn(await look(language))].filter((name) => english.has(name));
      assert.ok(same.length <= 2, `${language}: ${same.join(', ')}`);
    }
  });

  test('an export is told by what it was narrowed by', async () => {
    const { merchant, look } = await open();
    const filters = { state: 'charged', from: '2026-11-01T00:00Z', least: '5', sort: 'largest' };
    const taken = { format: 'csv', filters, searched: 'ada@example.test', rows: 7, isWhole: false };
    await recordExport(service.pool, KASSA, merchant, taken);
    const german = await look('de');
    assert.match(textOf(german), /Format csv Zahlungen 7 Alle nein Status Eingezogen Ab 01\.11\.2026, 00:00 UTC/);
    assert.match(textOf(german), /Reihenfolge größte zuerst Gesucht nach E-Mail, Referenz/);
    assert.match(german, /<dd><time datetime="2026-11-01T00:00:00\.000Z"/);
  });

  test('what another version has told of is shown as it was written, as text', async () => {
    const { merchant, look } = await open();
    const facts = { newThing: '<b>x</b>', role: 'conductor', since: 'soon' } as object;
    const act = { actor: KASSA, action: 'merchant.change', subject: 'x', before: facts } as const;
    await withinTransaction(service.pool, (within) => recordAct(within, merchant, act));
    const page = await look('de');
    assert.match(page, /<dt>newThing<\/dt>\s*<dd>&lt;b&gt;x&lt;\/b&gt;<\/dd>/);
    assert.match(textOf(page), /Rolle conductor Von soon/);
  });
});
