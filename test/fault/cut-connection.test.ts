// Goal: wherever the connection of a change is cut, the client is told the truth and the change is made exactly once.
// Method: a wire between the service and its Postgres cuts the very connection that runs the statement: before it is
// sent, in the middle of it, after it was committed but before the answer, or so that the server gets it late. Every
// operation is tried with every cut; then the payment and the books are looked at.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { verifyBooks } from '../../src/store/books/verify.ts';
import { aCreate, anItem } from '../support/client.ts';
import type { Client, Reply } from '../support/client.ts';
import { depth } from '../support/depth.ts';
import { startService } from '../support/service.ts';
import type { Service } from '../support/service.ts';
import { cloneDatabase } from '../support/database.ts';
import { Wire } from '../support/wire.ts';
import type { Cut } from '../support/wire.ts';

const CUTS: readonly Cut[] = ['before', 'within', 'after', 'late'];

type Summary = { reserved?: number; charged?: number; refunded?: number; cancelled?: number };

type Case = {
  readonly name: string;
  /** What leads up to it; gives the path of the request. */
  readonly prepare: (client: Client) => Promise<{ paymentId?: string; path: string }>;
  readonly method?: 'PUT';
  readonly body: unknown;
  readonly keyed?: boolean;
  readonly status: number;
  readonly summary: Summary;
  readonly charges?: number;
  readonly refunds?: number;
};

const created = (name: string) => async (client: Client) => {
  const paymentId = await client.create(1_000);
  return { paymentId, path: `/v1/payments/${paymentId}/${name}` };
};
const reserved = (name: string) => async (client: Client) => {
  const paymentId = await client.createReserved(1_000);
  return { paymentId, path: `/v1/payments/${paymentId}/${name}` };
};
const charged = async (client: Client) => {
  const paymentId = await client.createReserved(1_000);
  const chargeId = await client.charge(paymentId, 600);
  return { paymentId, path: `/v1/charges/${chargeId}/refunds` };
};
const toCreate = async () => ({ path: '/v1/payments' });

const money: readonly Case[] = [
  { name: 'create', prepare: toCreate, body: aCreate(1_000), status: 201, summary: {} },
  {
    name: 'charge',
    prepare: reserved('charges'),
    body: { amount: 600 },
    status: 201,
    summary: { reserved: 1_000, charged: 600 },
    charges: 1,
  },
  {
    name: 'refund',
    prepare: charged,
    body: { amount: 200 },
    status: 201,
    summary: { reserved: 1_000, charged: 600, refunded: 200 },
    charges: 1,
    refunds: 1,
  },
  {
    name: 'cancel',
    prepare: reserved('cancels'),
    body: { amount: 300 },
    status: 204,
    summary: { reserved: 1_000, cancelled: 300 },
  },
];

const others: readonly Case[] = [
  {
    name: 'refused charge',
    prepare: reserved('charges'),
    body: { amount: 1_001 },
    keyed: true,
    status: 402,
    summary: { reserved: 1_000 },
  },
  {
    name: 'reservation',
    prepare: async (client) => {
      const paymentId = await client.create(1_000);
      return { paymentId, path: `/v1/sandbox/payments/${paymentId}/reserve` };
    },
    body: {},
    status: 201,
    summary: { reserved: 1_000 },
  },
  {
    name: 'cart update',
    prepare: created('orderitems'),
    method: 'PUT',
    body: { items: [anItem({ grossTotalAmount: 700 })] },
    status: 204,
    summary: {},
  },
  {
    name: 'reference update',
    prepare: reserved('referenceinformation'),
    method: 'PUT',
    body: { reference: 'other' },
    status: 204,
    summary: { reserved: 1_000 },
  },
  { name: 'termination', prepare: created('terminate'), method: 'PUT', body: {}, status: 204, summary: {} },
];

const cases: readonly Case[] = [...money, ...money.map((each) => ({ ...each, keyed: true })), ...others];

/** A cut that did not come about would make a test that cannot fail. */
async function happened(cut: Promise<void>): Promise<void> {
  const late = new AbortController();
  const missed = sleep(60_000, 'missed', { signal: late.signal }).catch(() => 'happened');
  assert.equal(await Promise.race([cut.then(() => 'happened'), missed]), 'happened', 'the answer came without a cut');
  late.abort();
}

describe('cut connection', () => {
  let wire: Wire;
  let service: Service;
  let client: Client;
  let keys = 0;
  before(async () => {
    const databaseUrl = await cloneDatabase();
    wire = await Wire.open(databaseUrl);
    service = await startService({ databaseUrl, env: { DATABASE_URL: wire.url } });
    ({ client } = await service.openShop());
  });
  after(async () => {
    await service.stop();
    await wire.close();
  });

  const expectOnce = async (each: Case, paymentId: string): Promise<void> => {
    const { reserved: reservedAmount = 0, charged: chargedAmount = 0, ...rest } = each.summary;
    const { refunded: refundedAmount = 0, cancelled: cancelledAmount = 0 } = rest;
    const payment = await client.payment(paymentId);
    assert.deepEqual(payment.summary, { reservedAmount, chargedAmount, refundedAmount, cancelledAmount });
    assert.equal(payment.charges.length, each.charges ?? 0);
    assert.equal(payment.refunds.length, each.refunds ?? 0);
  };

  /** One request, its commit cut in that way; gives the answer, and the payment it is about. */
  const sendCut = async (each: Case, cut: () => Promise<void>): Promise<{ reply: Reply; paymentId: string }> => {
    const { paymentId, path } = await each.prepare(client);
    keys += 1;
    const headers = each.keyed ? { 'idempotency-key': `key-${keys}` } : {};
    const done = cut();
    const reply = await client.send(each.method ?? 'POST', path, each.body, headers);
    await happened(done);
    assert.equal(reply.status, each.status, reply.text);
    if (each.keyed) {
      const again = await client.send(each.method ?? 'POST', path, each.body, headers);
      assert.deepEqual([again.status, again.text], [reply.status, reply.text]);
      assert.equal(again.headers.get('idempotent-replayed'), 'true');
    }
    return { reply, paymentId: paymentId ?? reply.body.paymentId };
  };

  // A cut within is one before to all that is seen of it, and a late one is one after.
  const cutsOf = (each: Case): readonly Cut[] =>
    money.includes(each) || each.keyed ? CUTS : depth({ daily: ['before', 'after'], release: CUTS });

  for (const each of cases)
    for (const cut of cutsOf(each))
      // decision: a-commit-with-unknown-outcome
      test(`a ${each.name}${each.keyed ? ', keyed,' : ''} whose commit is cut ${cut} is answered right`, async () => {
        const { paymentId } = await sendCut(each, () => wire.cutNext('commit', cut));
        await expectOnce(each, paymentId);
      });

  // decision: a-commit-with-unknown-outcome
  test('a commit that is cut again and again is made once', async () => {
    for (const each of money) {
      const { paymentId } = await sendCut(each, async () => {
        await Promise.all([
          wire.cutNext('commit', 'after'),
          wire.cutNext('commit', 'after'),
          wire.cutNext('commit', 'before'),
        ]);
      });
      await expectOnce(each, paymentId);
    }
  });

  test('a look-up that is cut itself is made again', async () => {
    for (const each of money) {
      const { paymentId } = await sendCut(each, async () => {
        await Promise.all([wire.cutNext('commit', 'after'), wire.cutNext('find_marks', 'before')]);
      });
      await expectOnce(each, paymentId);
    }
  });

  test('a load that is cut is made again', async () => {
    for (const cut of CUTS) {
      const paymentId = await client.createReserved(1_000);
      const done = wire.cutNext('load', cut);
      await client.charge(paymentId, 1_000);
      await happened(done);
    }
  });

  // decision: a-commit-with-unknown-outcome
  test('everybody in a group whose connection is cut is answered right', async () => {
    for (const cut of CUTS) {
      const ids = await Promise.all(Array.from({ length: 20 }, () => client.createReserved(1_000)));
      const done = wire.cutNext('commit', cut);
      await Promise.all(ids.map((id) => client.charge(id, 1_000)));
      await happened(done);
      for (const id of ids) assert.equal((await client.payment(id)).charges.length, 1);
    }
  });

  test('the books balance after all of it, and the service is the one that was started', async () => {
    assert.equal((await service.client().get('/healthz')).status, 200);
    assert.deepEqual((await verifyBooks(service.pool)).differences, []);
  });
});
