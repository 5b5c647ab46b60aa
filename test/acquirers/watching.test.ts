// Goal: who runs Kassa can see what is wrong with an acquirer, in a line or two and not in a flood; who is turned away
// learns for how long. Method: a real service, whose acquirers have a wrong key, are away, and come back; its log and its
// metrics are read.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { putAcquirer } from '../../src/store/merchants/acquirers.ts';
import { startBank } from '../support/bank.ts';
import type { RunningBank } from '../support/bank.ts';
import type { Reply } from '../support/client.ts';
import { until } from '../support/kassa.ts';
import { keyed } from '../support/keyed-operations.ts';
import { readMetrics } from '../support/metrics.ts';
import { startService } from '../support/service.ts';
import type { Service, Shop } from '../support/service.ts';

// The level of a warning and of an error in a line of the log.
const [WARN, ERROR] = [40, 50];
const LEFT_ALONE = 'circuit breaker open for an acquirer; its merchants get 503';
const BACK = 'circuit breaker closed: the acquirer responds again';
const UNKNOWN = 'the outcome of a movement is unknown';

type Line = { readonly level: number; readonly msg: string; readonly acquirer?: string; readonly why?: string };

describe('what can be seen of an acquirer', () => {
  let service: Service;
  let bank: RunningBank;
  before(async () => {
    [service, bank] = await Promise.all([startService({ env: { KASSA_ACQUIRER_TIMEOUT: '3s' } }), startBank()]);
  });
  after(async () => {
    await service.stop();
    await bank.stop();
  });

  const linesOf = (acquirer: string, msg: string): Line[] =>
    service
      .log()
      .split('\n')
      .filter((line) => line.startsWith('{') && line.endsWith('}'))
      .map((line) => JSON.parse(line) as Line)
      .filter((line) => line.acquirer === acquirer && line.msg === msg);

  const figure = async (name: string): Promise<string | undefined> => {
    const text = await readMetrics(service.client());
    return text.split('\n').find((line) => line.startsWith(`${name} `));
  };

  const reserve = async (shop: Shop): Promise<Reply> =>
    shop.client.post(`/v1/sandbox/payments/${await shop.client.create(1_000)}/reserve`, {});

  test('a wrong key: who waits is told to read the payment, and the log says why', async () => {
    await putAcquirer(service.pool, { name: 'strange', url: bank.url, key: 'a-wrong-key' });
    const shop = await service.openShop({ acquirer: 'strange' });
    const { status, body } = await reserve(shop);
    assert.equal(status, 500);
    assert.equal(
      body.message,
      'The outcome of the reservation is being determined: the acquirer has not told it yet. Read the payment to learn it.',
    );
    const [line] = await until('the line', () => linesOf('strange', UNKNOWN).length > 0 && linesOf('strange', UNKNOWN));
    assert.deepEqual([line?.level, line?.why], [WARN, 'it refuses this key (401)']);
    assert.equal(service.log().includes('a-wrong-key'), false);
    assert.match(bank.err(), /^\S+Z {2}refused {2}POST \/operations {2}401, wrong key$/m);
    assert.equal(bank.err().includes('a-wrong-key'), false);
  });

  test('one that is away: one line when it is left alone, one when it is back; 503 says for how long', async () => {
    await putAcquirer(service.pool, { name: 'bank', url: bank.url, key: bank.key });
    const shop = await service.openShop({ acquirer: 'bank' });
    const paymentId = await shop.client.createReserved(1_000);
    assert.equal(await figure('kassa_acquirer_open{acquirer="bank"}'), 'kassa_acquirer_open{acquirer="bank"} 0');
    const approved = 'kassa_acquirer_calls_total{acquirer="bank",result="approved"}';
    assert.equal(await figure(approved), `${approved} 1`);

    await bank.kill();
    const waits: number[] = [];
    // Each trial that fails makes the rest longer.
    await until('a rest of some seconds', async () => {
      const { status, headers } = await reserve(shop);
      if (status === 503) waits.push(Number(headers.get('retry-after')));
      return (waits.at(-1) ?? 0) > 1;
    });
    assert.ok(
      waits.every((seconds) => Number.isInteger(seconds) && seconds >= 1 && seconds <= 30),
      waits.join(),
    );
    assert.equal(await figure('kassa_acquirer_open{acquirer="bank"}'), 'kassa_acquirer_open{acquirer="bank"} 1');
    const [left, ...more] = linesOf('bank', LEFT_ALONE);
    assert.deepEqual([left?.level, more], [WARN, []]);
    assert.match(left?.why ?? '', /^it cannot be reached, .*ECONNREFUSED/);

    await bank.restart();
    await until('it to be back', async () => {
      const { status } = await shop.client.post(`/v1/payments/${paymentId}/charges`, { amount: 1 }, keyed('back'));
      return status === 201;
    });
    assert.equal(await figure('kassa_acquirer_open{acquirer="bank"}'), 'kassa_acquirer_open{acquirer="bank"} 0');
    await until('the line', () => linesOf('bank', BACK).length > 0);
    assert.equal(linesOf('bank', BACK).length, 1);
    assert.equal(linesOf('bank', LEFT_ALONE).length, 1);
    assert.equal(service.log().includes(`"level":${ERROR}`), false);
  });
});
