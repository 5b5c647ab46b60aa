// Goal: the page of a payment shows all that is known of it to those whose payment it is, and to nobody else. Method:
// payments made through the API, and looked at as a browser does, at a Kassa that runs.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ROLES } from '../../src/domain/role.ts';
import { signIn, Visitor } from '../support/console.ts';
import { shareService } from '../support/service.ts';
import type { SharedService } from '../support/service.ts';

describe('the page of a payment', () => {
  let service: SharedService;
  before(() => {
    service = shareService();
  });
  after(() => service.close());

  test('the raw payment is what the API gives, in the dialect of the merchant', async () => {
    for (const dialect of ['spec', 'nexi'] as const) {
      const { merchant, client } = await service.openShop({ dialect });
      const paymentId = await client.createReserved();
      const visitor = await signIn(service, merchant.id, 'viewer');
      const path = `/console/api/${merchant.id}/payments/${paymentId}`;
      const answer = await visitor.ask(path);
      assert.equal(answer.status, 200);
      assert.equal(answer.headers.get('cache-control'), 'no-store');
      assert.equal(await answer.text(), (await client.get(`/v1/payments/${paymentId}`)).text);
      assert.deepEqual(await (await visitor.ask(`${path}/state`)).json(), { version: 2, pending: 0 });
    }
  });

  test('for each role; 401 without a session, 404 for another merchant’s people and for what is not there', async () => {
    const [{ merchant, client }, other] = [await service.openShop(), await service.openShop()];
    const paymentId = await client.create();
    const base = `/console/api/${merchant.id}/payments`;
    const stranger = await signIn(service, other.merchant.id, 'admin');
    const statusFor = async (who: Visitor, path: string): Promise<number> => (await who.ask(path)).status;
    for (const path of [`${base}/${paymentId}`, `${base}/${paymentId}/state`]) {
      assert.equal(await statusFor(new Visitor(service.url), path), 401);
      assert.equal(await statusFor(stranger, path), 404);
      assert.equal(await statusFor(stranger, path.replace(`${merchant.id}`, `${other.merchant.id}`)), 404);
      for (const role of ROLES) assert.equal(await statusFor(await signIn(service, merchant.id, role), path), 200);
    }
    const own = await signIn(service, merchant.id, 'viewer');
    assert.equal(await statusFor(own, `${base}/${paymentId.replace(/^.{8}/, '$&-')}/state`), 200, 'with a dash');
    for (const wrong of ['nothing', paymentId.slice(1), 'f'.repeat(32)])
      assert.equal(await statusFor(own, `${base}/${wrong}`), 404, wrong);
  });
});
