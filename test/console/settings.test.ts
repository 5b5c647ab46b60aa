// Goal: everybody of a merchant reads its settings, and only its admins change them. Method: requests as browsers send
// them, by every role.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { KASSA } from '../../src/domain/audit.ts';
import { ROLES } from '../../src/domain/role.ts';
import { changeMerchant } from '../../src/merchants/merchants.ts';
import { listAudit } from '../../src/store/audit/audit.ts';
import { findMerchant } from '../../src/store/merchants/merchants.ts';
import { signIn } from '../support/console.ts';
import { shareService } from '../support/service.ts';
import type { SharedService } from '../support/service.ts';

describe('the settings', () => {
  let service: SharedService;
  before(() => {
    service = shareService();
  });
  after(() => service.close());

  test('the amounts above which refunds ask for proof: read as people write them, told in the audit, taken away again', async () => {
    const { merchant } = await service.openShop();
    const admin = await signIn(service, merchant.id, 'admin');
    const at = `/console/${merchant.id}/settings`;
    const fields = { name: merchant.name, dialect: 'spec' };
    const change = (refundProof: string) => admin.submit(`${at}/change`, { ...fields, refundProof });
    const refused = await change('5000 kronor');
    assert.deepEqual([refused.status, /5000 SEK, 500 EUR/.test(await refused.text())], [400, true]);
    for (const [text, kept] of [
      ['5000 SEK, 500.50 eur', { SEK: 500_000, EUR: 50_050 }],
      ['', undefined],
    ] as const) {
      assert.equal((await change(text)).status, 303);
      assert.deepEqual((await findMerchant(service.pool, merchant.id))?.refundProof, kept);
    }
    // A form of before knows nothing of it.
    await change('1 SEK');
    await admin.submit(`${at}/change`, fields);
    assert.deepEqual((await findMerchant(service.pool, merchant.id))?.refundProof, { SEK: 100 });
    assert.match(await (await admin.ask(at)).text(), /value="1.00 SEK"/);
    const told = (await listAudit(service.pool, merchant, { limit: 3, action: 'merchant.change' })).toReversed();
    assert.deepEqual(
      told.map(({ before: was, after: is }) => [was?.['refundProof'], is?.['refundProof']]),
      [
        [null, '5000.00 SEK, 500.50 EUR'],
        ['5000.00 SEK, 500.50 EUR', null],
        [null, '1.00 SEK'],
      ],
    );
  });

  test('a form that was opened before changes what was changed in it, and nothing that was set since', async () => {
    const { merchant } = await service.openShop();
    const admin = await signIn(service, merchant.id, 'admin');
    const at = `/console/${merchant.id}/settings`;
    const page = await (await admin.ask(at)).text();
    const shown = (/name="shown" value="([^"]*)"/.exec(page)?.[1] ?? '').replaceAll('&quot;', '"');
    const settings = { strictItems: true, refundProof: { SEK: 5_000 } };
    await changeMerchant(service.pool, KASSA, merchant.id, { settings });
    const fields = { name: merchant.name, dialect: 'spec', colour: '#0b6e4f', refundProof: '', shown };
    assert.equal((await admin.submit(`${at}/change`, fields)).status, 303);
    const now = await findMerchant(service.pool, merchant.id);
    assert.deepEqual([now?.colour, now?.strictItems, now?.refundProof], ['#0b6e4f', true, { SEK: 5_000 }]);
  });

  test('are read by all, changed by admins, and what cannot be is said', async () => {
    const { merchant } = await service.openShop();
    const at = `/console/${merchant.id}/settings`;
    const fields = { name: 'New <b>', dialect: 'nexi', colour: '#0B6E4F', strictItems: 'on' };
    for (const role of ROLES) {
      const visitor = await signIn(service, merchant.id, role);
      assert.equal((await visitor.ask(at)).status, 200);
      const changed = await visitor.submit(`${at}/change`, fields);
      assert.equal(changed.status, role === 'admin' ? 303 : 404, role);
      if (role !== 'admin') continue;
      assert.ok((await (await visitor.ask(at)).text()).includes('New &lt;b&gt;'));
      for (const bad of [{ name: ' ' }, { dialect: 'x' }, { colour: 'red' }])
        assert.equal((await visitor.submit(`${at}/change`, { ...fields, ...bad })).status, 400);
    }
    const now = await findMerchant(service.pool, merchant.id);
    assert.deepEqual(
      [now?.name, now?.dialect, now?.strictItems, now?.reserveOnDemand, now?.colour],
      ['New <b>', 'nexi', true, false, '#0b6e4f'],
    );
    const stranger = await signIn(service, (await service.openShop()).merchant.id, 'admin');
    assert.equal((await stranger.ask(at)).status, 404);
    assert.equal((await stranger.submit(`${at}/change`, fields)).status, 404);
  });
});
