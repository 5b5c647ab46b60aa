// Goal: whatever the endpoints of one merchant do, what another is to be told arrives. Method: a real service, and a
// server that never answers the one merchant and always the other; what hangs still hangs when the other's has arrived.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { aCreate } from '../support/client.ts';
import { until } from '../support/kassa.ts';
import { startService } from '../support/service.ts';
import type { Service, Shop } from '../support/service.ts';

// All of a machine's addresses 127.0.0.x are its own, and each is an endpoint.
const MOST_HOOKS = 32;

describe('fairness between merchants', () => {
  let service: Service;
  let port: number;
  const hanging = new Map<string, ServerResponse[]>();
  let answered: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    request.resume();
    request.on('end', () => {
      if (path.startsWith('/hanging')) hanging.set(path, [...(hanging.get(path) ?? []), response]);
      else {
        answered.push(path);
        response.end();
      }
    });
  });

  before(async () => {
    server.listen(0, '0.0.0.0');
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
    service = await startService();
  });
  after(async () => {
    server.closeAllConnections();
    server.close();
    await service.stop();
  });

  const urlOf = (host: string, path: string): string => `http://${host}:${port}/${path}`;
  const pay = async ({ client }: Shop, urls: readonly string[]): Promise<void> => {
    const webHooks = urls.map((url) => ({ eventName: 'payment.created', url, authorization: 'of-the-shop' }));
    const { paymentId } = await client.must(201, 'POST', '/v1/payments', { ...aCreate(), notifications: { webHooks } });
    await client.must(201, 'POST', `/v1/sandbox/payments/${paymentId}/reserve`);
  };
  const isHanging = (path: string): number => (hanging.get(path) ?? []).filter(({ destroyed }) => !destroyed).length;
  const arrival = async (path: string): Promise<void> => {
    await until(path, () => answered.includes(`/${path}`));
    answered = answered.filter((each) => each !== `/${path}`);
  };

  test('one origin, of which a merchant’s sixty hang: another’s arrives beside them', async () => {
    const [hostile, other] = [await service.openShop(), await service.openShop()];
    for (let n = 0; n < 60; n += 1) await pay(hostile, [urlOf('127.0.0.1', 'hanging-shared')]);
    await until('those that hang', () => isHanging('/hanging-shared') > 0);
    await pay(other, [urlOf('127.0.0.1', 'shared')]);
    await arrival('shared');
    assert.ok(isHanging('/hanging-shared') > 0, 'the others hang still');
  });

  test('hundreds of addresses of a merchant that hang: another’s new one gets its turn', async () => {
    const [hostile, other] = [await service.openShop(), await service.openShop()];
    const addresses = Array.from({ length: 640 }, (_, n) => urlOf(`127.1.${n >> 8}.${n & 255}`, 'hanging-many'));
    for (let n = 0; n < 4; n += 1)
      for (let from = 0; from < addresses.length; from += MOST_HOOKS)
        await pay(hostile, addresses.slice(from, from + MOST_HOOKS));
    await until('those that hang', () => isHanging('/hanging-many') > 0);
    await pay(other, [urlOf('127.0.2.1', 'new')]);
    await arrival('new');
    assert.ok(isHanging('/hanging-many') > 0, 'the others hang still');
  });

  test('a standing that was found out before the start counts from the first claim on', async () => {
    const shop = await service.openShop();
    const origin = `http://127.0.3.1:${port}`;
    await service.pool.query(
      `insert into endpoints (part, merchant_id, endpoint, standing) values ($1, $2, $3, 'failing')`,
      [shop.merchant.parts[0], shop.merchant.id, origin],
    );
    for (let n = 0; n < 8; n += 1) await pay(shop, [urlOf('127.0.3.1', 'hanging-known')]);
    await until('those that hang', () => isHanging('/hanging-known') >= 2);
    await pay(shop, [urlOf('127.0.3.2', 'after-them')]);
    await arrival('after-them');
    assert.equal(hanging.get('/hanging-known')?.length, 2, 'as many as a failing one gets');
  });

  test('a standing is written down when it changes', async () => {
    const shop = await service.openShop();
    const standing = async (host: string): Promise<string | undefined> => {
      const rows = await service.pool.query<{ standing: string }>(
        'select standing from endpoints where merchant_id = $1 and endpoint = $2',
        [shop.merchant.id, `http://${host}:${port}`],
      );
      return rows[0]?.standing;
    };
    await pay(shop, [urlOf('127.0.4.1', 'sound')]);
    await until('a proven one', async () => (await standing('127.0.4.1')) === 'proven');
    for (let n = 0; n < 4; n += 1) await pay(shop, ['http://127.0.4.2:1/nobody']);
    await until('a failing one', async () => {
      const rows = await service.pool.query('select 1 from endpoints where endpoint = $1 and standing = $2', [
        'http://127.0.4.2:1',
        'failing',
      ]);
      return rows.length === 1;
    });
  });
});
