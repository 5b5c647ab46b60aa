// Goal: with an acquirer on another machine, whose clock is the real one, a test merchant's moved clock dates what comes
// back, makes a question that waits due at once, and leaves both books the same. Method: a real bank that does not
// answer for a while, a real service, the real commands.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { partOf } from '../../src/domain/id.ts';
import { putAcquirer } from '../../src/store/merchants/acquirers.ts';
import { startBank } from '../support/bank.ts';
import type { RunningBank } from '../support/bank.ts';
import { runCommand } from '../support/commands.ts';
import { until } from '../support/kassa.ts';
import { startService } from '../support/service.ts';
import type { Service } from '../support/service.ts';

const DAY_MS = 86_400_000;
const NEAR_MS = 120_000;

let service: Service;
let bank: RunningBank;
before(async () => {
  [service, bank] = await Promise.all([startService({ env: { KASSA_ACQUIRER_TIMEOUT: '3s' } }), startBank()]);
  await putAcquirer(service.pool, { name: 'bank', url: bank.url, key: bank.key });
});
after(async () => {
  await service.stop();
  await bank.stop();
});

test('a charge whose answer was lost is found out when the clock is moved, and dated by it; the books are the same', async () => {
  const { client } = await service.openShop({ acquirer: 'bank' });
  const advance = (days: number): Promise<unknown> =>
    client.must(200, 'POST', '/v1/sandbox/clock', { advanceSeconds: days * 86_400 });
  await advance(1);
  const paymentId = await client.createReserved(1_000);
  await bank.setFaults({ hang: 1 });
  const asked = await client.post(`/v1/payments/${paymentId}/charges`, { amount: 1_000 });
  assert.equal(asked.status, 500, asked.text);
  const ofCharge = [partOf(paymentId), paymentId];
  // As after an hour of questions.
  await service.pool.query(
    `update movements set tries = 20, next_try_at = now() + interval '6 hours'
     where part = $1 and payment_id = $2 and kind = 'charge'`,
    ofCharge,
  );
  await bank.setFaults({});
  await advance(2);
  await until(
    'the outcome of the charge',
    async () => (await client.payment(paymentId)).summary.chargedAmount === 1_000,
  );
  const { events } = await client.must(200, 'GET', `/v1/events?paymentId=${paymentId}&type=payment.charge.created`);
  const late = Date.parse(events[0].timestamp) - Date.now() - 3 * DAY_MS;
  assert.ok(Math.abs(late) < NEAR_MS, events[0].timestamp);

  const env = { DATABASE_URL: service.databaseUrl };
  const compared = await runCommand(['reconcile', '--acquirer', 'bank', '--json'], { env });
  assert.equal(compared.code, 0, compared.out + compared.err);
  assert.deepEqual((JSON.parse(compared.out) as { differences: object[] }).differences, []);
  const verified = await runCommand(['verify'], { env });
  assert.equal(verified.code, 0, verified.out + verified.err);
});
