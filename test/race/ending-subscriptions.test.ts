// Goal: an end and charges that are asked for at once decide cleanly, also in two processes: every charge is either let in
// before the end and made whole, or refused; and there is one end. Method: bursts at two services on one database, then
// the books.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { verifyBooks } from '../../src/store/books/verify.ts';
import { anOrder } from '../support/client.ts';
import { depth } from '../support/depth.ts';
import { subscribe } from '../support/subscriptions.ts';
import { spawnService, startService } from '../support/service.ts';
import { countOutcomes, sendAtOnce, startTwoServices } from '../support/two-services.ts';
import type { TwoServices } from '../support/two-services.ts';

const ROUNDS = depth({ daily: 4, release: 8 });

let services: TwoServices;
before(async () => {
  services = await startTwoServices({}, depth({ daily: startService, release: spawnService }));
});
after(() => services.stop());

// decision: charge-and-end-at-once
test('charges and ends at once: one end, and no charge after it', async () => {
  const clients = await services.openShop();
  const [client] = clients;
  const { pool } = services.first;
  let refused = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const id = await subscribe(client, 'scheduled');
    const [row] = await pool.query<{ secret: string }>('select secret from subscriptions where id = $1', [id]);
    const replies = await sendAtOnce(clients, 16, (by, n) => {
      if (n % 5 === 2) return by.put(`/v1/subscriptions/${id}/terminate`);
      const form = { 'content-type': 'application/x-www-form-urlencoded' };
      if (n % 5 === 4) return by.post(`/subscriptions/${id}/${row?.secret}/end`, 'sure=yes', form);
      return by.post(`/v1/subscriptions/${id}/charges`, { order: anOrder(5_000 + n) });
    });
    const { '200': charged = 0, '204': ended = 0, '402 1030': late = 0, ...rest } = countOutcomes(replies);
    // The page that follows the form is 200 as well.
    assert.deepEqual(rest, {});
    assert.equal(charged + ended + late, 16);
    refused += late;
    const [sums] = await pool.query<{ renewals: number; ends: number; charges: number }>(
      `select
         (select count(*) from renewals where subscription_id = $1) as renewals,
         (select count(*) from events where subject_id = $1 and name = 'subscription.ended') as ends,
         (select count(*) from renewals join movements using (part, payment_id)
          where subscription_id = $1 and kind = 'charge' and state = 'approved') as charges`,
      [id],
    );
    assert.equal(sums?.ends, 1);
    assert.equal(sums?.charges, sums?.renewals, 'what was let in is charged');
    const later = await client.post(`/v1/subscriptions/${id}/charges`, { order: anOrder(5_000) });
    assert.equal(later.body.code, '1030');
  }
  assert.ok(refused > 0, 'no end came before a charge');
  assert.deepEqual((await verifyBooks(pool)).differences, []);
});
