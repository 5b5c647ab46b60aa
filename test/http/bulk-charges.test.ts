// Goal: bulks of charges and verifications are taken, worked off and read as the contract says, in both dialects and for
// both kinds. Method: real requests; what came of a bulk is waited for and read back over the API.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { DIALECTS, expectErrors, expectFailure, expectNoBody, summaryIn } from '../support/answers.ts';
import { anOrder } from '../support/client.ts';
import type { Client, Reply } from '../support/client.ts';
import { until } from '../support/kassa.ts';
import { isReplayed, keyed } from '../support/keyed-operations.ts';
import { shareService } from '../support/service.ts';
import type { SharedService, Shop } from '../support/service.ts';
import { subscribe, SUBSCRIPTION_PATHS } from '../support/subscriptions.ts';

const NOBODY = '0190a1b2c3d47abc8def0123456789ab';
const EXPIRED_LATER = '4000000000004954';
const DECLINED_LATER = '4000000000000341';

let service: SharedService;
before(() => {
  service = shareService();
});
after(() => service.close());

for (const dialect of DIALECTS)
  for (const kind of ['scheduled', 'unscheduled'] as const)
    describe(`bulks of ${kind} subscriptions in the dialect ${dialect}`, () => {
      const { path, idName, listName } = SUBSCRIPTION_PATHS[kind];
      let shop: Shop;
      let client: Client;
      before(async () => {
        shop = await service.openShop({ dialect });
        ({ client } = shop);
      });
      const entry = (id: string, amount = 5_000, more: object = {}) => ({
        [idName]: id,
        order: anOrder(amount),
        ...more,
      });
      const ask = (name: unknown, entries: readonly object[], headers?: Record<string, string>): Promise<Reply> =>
        client.post(`${path}/charges`, { externalBulkChargeId: name, [listName]: entries }, headers);
      const read = async (bulkId: string, query = '', place = 'charges'): Promise<Reply['body']> =>
        client.must(200, 'GET', `${path}/${place}/${bulkId}${query}`);
      const done = async (bulkId: string, place = 'charges'): Promise<Reply['body']> => {
        let bulk: Reply['body'];
        await until('the bulk is done', async () => {
          bulk = await read(bulkId, '', place);
          return bulk.status === 'Done';
        });
        return bulk;
      };

      // decision: declined-charges-of-a-subscription
      test('202 exactly {bulkId}; each entry is a payment, charged once, or Failed with the issuer’s code', async () => {
        const [good, soft, hard] = [
          await subscribe(client, kind),
          await subscribe(client, kind, DECLINED_LATER),
          await subscribe(client, kind, EXPIRED_LATER),
        ];
        const reply = await ask('first', [entry(good, 7_000, { myReference: 'mine' }), entry(soft), entry(hard)]);
        assert.equal(reply.status, 202, reply.text);
        assert.deepEqual(Object.keys(reply.body), ['bulkId']);
        const early = await read(reply.body.bulkId);
        const { page, more, status } = await done(reply.body.bulkId);
        assert.deepEqual({ more, status }, { more: false, status: 'Done' });
        const ids = (entries: Reply['body'][]) => entries.map(({ paymentId }) => paymentId);
        assert.deepEqual(ids(early.page), ids(page), 'the same from the first read on');
        const [charged, ...failed] = page;
        assert.deepEqual(Object.keys(charged).toSorted(), ['chargeId', idName, 'paymentId', 'status'].toSorted());
        assert.equal(charged.status, 'Succeeded');
        const payment = await client.payment(charged.paymentId);
        assert.deepEqual(payment.summary, summaryIn(dialect, { reserved: 7_000, charged: 7_000 }));
        assert.equal(payment.myReference, 'mine');
        assert.equal(payment.charges[0].chargeId, charged.chargeId);
        for (const [index, code] of ['51', '54'].entries()) {
          const { status: state, code: found, source, message } = failed[index];
          assert.deepEqual([state, found, source, message], ['Failed', code, 'Issuer', 'Refused by issuer']);
        }
      });

      // decision: idempotency-of-a-bulk
      test('the same name again is the same bulk; with other content 422 (1026), for 30 days', async () => {
        const id = await subscribe(client, kind);
        const first = await ask('named', [entry(id)]);
        const again = await ask('named', [entry(id)]);
        assert.equal(again.status, 202);
        assert.deepEqual(again.body, first.body);
        assert.ok(isReplayed(again));
        expectFailure(await ask('named', [entry(id, 6_000)]), { status: 422, code: '1026', message: /other content/ });
        const { page } = await done(first.body.bulkId);
        assert.equal(page.length, 1);
        assert.equal((await ask(4_711, [entry(id)])).status, 202, 'a number is a name');
        assert.ok(isReplayed(await ask('4711', [entry(id)])));
        const age = (days: number) =>
          service.pool.query("update bulks set created_at = now() - $1 * interval '1 day' where id = $2", [
            days,
            first.body.bulkId,
          ]);
        await age(29);
        expectFailure(await ask('named', [entry(id, 6_000)]), { status: 422, code: '1026', message: /other content/ });
        await age(31);
        const later = await ask('named', [entry(id, 6_000)]);
        assert.deepEqual([later.status, isReplayed(later)], [202, false]);
        assert.notEqual(later.body.bulkId, first.body.bulkId);
        assert.ok(isReplayed(await ask('named', [entry(id, 6_000)])), 'it is the name of the new one now');
      });

      // decision: idempotency-of-a-bulk
      test('an id with dashes or in upper case is the same content', async () => {
        const id = await subscribe(client, kind);
        const first = await ask('spelled', [entry(id)]);
        const dashed = id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
        for (const spelled of [dashed, id.toUpperCase(), dashed.toUpperCase()]) {
          const again = await ask('spelled', [entry(spelled)]);
          assert.deepEqual([again.status, again.body], [202, first.body]);
          assert.ok(isReplayed(again));
        }
      });

      test('400 naming the entry: a subscription more than ten times, however it is spelled', async () => {
        const id = await subscribe(client, kind);
        const often = Array.from({ length: 12 }, (_, n) => entry(n % 2 === 0 ? id : id.toUpperCase()));
        const text = 'is there too often: one subscription may be in a bulk 10 times';
        expectErrors(await ask('often', often), {
          [`${listName}[10].${idName}`]: [text],
          [`${listName}[11].${idName}`]: [text],
        });
        assert.equal((await ask('often', often.slice(0, 10))).status, 202);
      });

      // decision: idempotency-of-a-bulk
      test('an Idempotency-Key does the same', async () => {
        const id = await subscribe(client, kind);
        const first = await ask('by-key', [entry(id)], keyed('bulk-key'));
        const again = await ask('by-key', [entry(id)], keyed('bulk-key'));
        assert.deepEqual(again.body, first.body);
        assert.equal((await ask('by-key-2', [entry(id)], keyed('bulk-key'))).status, 422);
      });

      // decision: unknown-subscriptions-in-a-bulk
      test('400 naming the entry, and nothing is charged: unknown, two names, a sum that differs, no entry', async () => {
        const id = await subscribe(client, kind);
        const unknown = await ask('bad', [entry(id), entry(NOBODY)]);
        expectErrors(unknown, { [`${listName}[1].${idName}`]: ['must be the id of a subscription of yours'] });
        const two = await ask('bad', [entry(id, 5_000, { externalReference: 'old' })]);
        expectErrors(two, { [`${listName}[0].externalReference`]: [`must be left out when ${idName} is given`] });
        expectErrors(await ask('bad', [entry('', 5_000, { externalReference: 'old' })]), {
          [`${listName}[0].externalReference`]: ['there is no such subscription'],
        });
        const sum = await ask('bad', [{ [idName]: id, order: { ...anOrder(900), amount: 901 } }]);
        assert.equal(sum.status, 400);
        assert.equal((await ask('bad', [])).status, 400);
        assert.equal(
          (
            await ask(
              'bad',
              Array.from({ length: 1_001 }, () => ({})),
            )
          ).status,
          400,
        );
        assert.equal(
          (await ask('bad', [entry(id, 5_000, { externalReference: '' })])).status,
          202,
          'the name was free',
        );
      });

      test('a subscription twice in a bulk is charged twice, in order', async () => {
        const id = await subscribe(client, kind);
        const { body } = await ask('twice', [entry(id, 5_000), entry(id, 6_000)]);
        const { page } = await done(body.bulkId);
        assert.deepEqual(
          page.map(({ status }: Reply['body']) => status),
          ['Succeeded', 'Succeeded'],
        );
        const [first, second] = page.map(({ chargeId }: Reply['body']) => chargeId);
        assert.ok(first < second, 'ids begin with the time');
      });

      test('pages by skip and take, or by pageNumber and pageSize; all without; both pairs are 400', async () => {
        const ids = await Promise.all(Array.from({ length: 12 }, () => subscribe(client, kind)));
        const { body } = await ask(
          'pages',
          ids.map((id) => entry(id)),
        );
        const { page } = await done(body.bulkId);
        const shown = (entries: Reply['body'][]) => entries.map((each) => each[idName]);
        assert.deepEqual(shown(page), ids);
        const one = await read(body.bulkId, '?skip=2&take=3');
        assert.deepEqual([shown(one.page), one.more], [ids.slice(2, 5), true]);
        const two = await read(body.bulkId, '?pageNumber=1&pageSize=8');
        assert.deepEqual([shown(two.page), two.more], [ids.slice(8), false]);
        expectErrors(await client.get(`${path}/charges/${body.bulkId}?skip=0&pageSize=1`), {
          pageNumber: ['must be left out when skip or take is given'],
        });
        expectErrors(await client.get(`${path}/charges/${body.bulkId}?take=x`), {
          take: ['must be a whole number from 1 on'],
        });
      });

      test('verifications: Succeeded or Failed with the issuer’s code, without payments', async () => {
        const [good, hard] = [await subscribe(client, kind), await subscribe(client, kind, EXPIRED_LATER)];
        const entries = [{ [idName]: good }, { [idName]: hard }];
        const { bulkId } = await client.must(202, 'POST', `${path}/verifications`, { [listName]: entries });
        const { page, more } = await done(bulkId, 'verifications');
        assert.deepEqual(page, [
          { [idName]: good, status: 'Succeeded' },
          { [idName]: hard, status: 'Failed', message: 'Refused by issuer', code: '54' },
        ]);
        assert.equal(more, false);
        expectNoBody(await client.get(`${path}/charges/${bulkId}`), 404);
      });

      test('404: nobody’s bulk, another merchant’s, which may have the same name', async () => {
        const { body } = await ask('mine', [entry(await subscribe(client, kind))]);
        const other = await service.openShop({ dialect, beside: shop });
        expectNoBody(await other.client.get(`${path}/charges/${body.bulkId}`), 404);
        // Nor is the name of the one taken for the other.
        const theirs = { externalBulkChargeId: 'mine', [listName]: [entry(await subscribe(other.client, kind))] };
        const askTheirs = async (): Promise<string> =>
          (await other.client.must(202, 'POST', `${path}/charges`, theirs)).bulkId;
        const bulkId = await askTheirs();
        assert.notEqual(bulkId, body.bulkId);
        assert.equal(await askTheirs(), bulkId);
        for (const unknown of [NOBODY, 'nonsense']) expectNoBody(await client.get(`${path}/charges/${unknown}`), 404);
      });
    });

describe('bulks of scheduled subscriptions', () => {
  // decision: refused-charges-of-a-subscription
  test('too early, expired: the entry is Failed with 1031, 1030; without a name it is 400', async () => {
    const { client } = await service.openShop();
    const early = await subscribe(client, 'scheduled', undefined, { interval: 30 });
    const over = await subscribe(client, 'scheduled');
    await service.pool.query(`update subscriptions set ends_at = now() - interval '1 second' where id = $1`, [over]);
    const subscriptions = [early, over].map((subscriptionId) => ({ subscriptionId, order: anOrder(5_000) }));
    const { bulkId } = await client.must(202, 'POST', '/v1/subscriptions/charges', {
      externalBulkChargeId: 'late',
      subscriptions,
    });
    let page: Reply['body'][] = [];
    await until('the bulk is done', async () => {
      const bulk = await client.must(200, 'GET', `/v1/subscriptions/charges/${bulkId}`);
      ({ page } = bulk);
      return bulk.status === 'Done';
    });
    assert.deepEqual(
      page.map(({ status, code }) => [status, code]),
      [
        ['Failed', '1031'],
        ['Failed', '1030'],
      ],
    );
    const nameless = await client.post('/v1/subscriptions/charges', { subscriptions });
    expectErrors(nameless, { externalBulkChargeId: ['is required'] });
    const unscheduled = await subscribe(client, 'unscheduled');
    await client.must(202, 'POST', '/v1/unscheduledsubscriptions/charges', {
      unscheduledSubscriptions: [{ unscheduledSubscriptionId: unscheduled, order: anOrder(5_000) }],
    });
  });
});
