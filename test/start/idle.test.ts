// Goal: a Kassa that has nothing to do asks the database for next to nothing, also while that is away; and is as quick as
// ever when there is something to do again. Method: a wire that counts what is asked and who wants to connect, and that
// refuses everybody while it is down.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { cloneDatabase } from '../support/database.ts';
import { until } from '../support/kassa.ts';
import { openReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import { startService } from '../support/service.ts';
import type { Service, Shop } from '../support/service.ts';

const WINDOW_MS = 4_000;
// It comes to 0.5 a second; now and then several of the housekeeping fall together. When every loop looked at its own
// pace for ever, it was 15.
const MOST_ASKED_IN_WINDOW = 6;
// It comes to two a second; without a pause of any kind it was nine.
const MOST_ATTEMPTS_IN_WINDOW = 14;
// By themselves the loops of an idle process look after half a minute.
const SOON_MS = 20_000;
const EVENTS_OF_ONE = 4;

type CountingWire = {
  readonly url: string;
  /** What was sent to the database so far, and how often somebody wanted to connect. */
  readonly asked: () => number;
  readonly attempts: () => number;
  down(): void;
  mend(): void;
  close(): void;
};

async function openCountingWire(databaseUrl: string): Promise<CountingWire> {
  const far = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let [asked, attempts] = [0, 0];
  let isDown = false;
  const server = createServer((near) => {
    attempts += 1;
    if (isDown) return near.resetAndDestroy();
    const there = connect(Number(far.port || 5432), far.hostname);
    near.on('data', () => (asked += 1));
    near.pipe(there).pipe(near);
    for (const socket of [near, there]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        (socket === near ? there : near).destroy();
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  const cutAll = (): void => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  return {
    url: url.href,
    asked: () => asked,
    attempts: () => attempts,
    down: () => {
      isDown = true;
      cutAll();
    },
    mend: () => {
      isDown = false;
    },
    close: () => {
      cutAll();
      server.close();
    },
  };
}

describe('a Kassa that has nothing to do', () => {
  let wire: CountingWire;
  let service: Service;
  let shop: Shop;
  let receiver: Receiver;
  before(async () => {
    const databaseUrl = await cloneDatabase();
    wire = await openCountingWire(databaseUrl);
    service = await startService({ databaseUrl, env: { DATABASE_URL: wire.url } });
    receiver = await openReceiver();
    shop = await service.openShop();
    await shop.client.must(201, 'POST', '/v1/webhooks', { url: receiver.url });
    await shop.client.createReserved();
    await receiver.until(EVENTS_OF_ONE);
  });
  after(async () => {
    await service.stop();
    await receiver.close();
    wire.close();
  });

  const countIn = async (count: () => number): Promise<number> => {
    const first = count();
    await sleep(WINDOW_MS);
    return count() - first;
  };

  /** Sends an event once more, which no loop of this process is told of but by the database. */
  const redeliver = async (): Promise<void> => {
    const count = receiver.received.length;
    const { id } = receiver.received[0]?.body ?? {};
    const askedAt = performance.now();
    await shop.client.must(202, 'POST', `/v1/events/${id}/redeliver`, {});
    await receiver.until(count + 1);
    const tookMs = performance.now() - askedAt;
    assert.ok(tookMs < SOON_MS, `it arrived after ${tookMs} ms`);
    // Otherwise the lane would be left to whoever claimed it.
    await until('it to be recorded', async () => {
      const open = await service.pool.query('select 1 from lanes where leased or next_try_at is not null');
      return open.length === 0;
    });
  };

  test('it asks less than twice in a second, and what somebody makes is done at once', async () => {
    await until('it to be idle', async () => (await countIn(wire.asked)) <= MOST_ASKED_IN_WINDOW);
    await redeliver();
  });

  test('while the database is away it tries to connect now and then, and goes on when that is back', async () => {
    wire.down();
    await until('few attempts', async () => (await countIn(wire.attempts)) <= MOST_ATTEMPTS_IN_WINDOW);
    wire.mend();
    await until('readiness', async () => (await service.client().get('/readyz')).status === 200);
    await redeliver();
  });
});
