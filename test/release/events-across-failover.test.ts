// Goal: an event is shown under a position only when that is there to stay. The primary is restarted while publishing waits
// for the standby, so the position can be read though the standby does not have it, and then it is lost: whoever reads on
// from one event to the next, by the list, the stream or a webhook, is told every event once, and none that is undone.
// Method: a real primary with a standby that is stopped while a merchant's counter of events is held.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { migrate } from '../../src/store/schema/migrate.ts';
import { openPool } from '../../src/store/connections/pool.ts';
import type { Client } from '../support/client.ts';
import { openStream } from '../support/event-stream.ts';
import { until } from '../support/kassa.ts';
import { openReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import { startService } from '../support/service.ts';
import type { Service } from '../support/service.ts';
import { startPrimaryWithStandby, WAITING_FOR_STANDBY } from '../support/standby.ts';
import type { PrimaryWithStandby } from '../support/standby.ts';

describe('events of a primary that is restarted while publishing waits, and lost', () => {
  let pair: PrimaryWithStandby;
  let service: Service;
  let client: Client;
  let receiver: Receiver;
  before(async () => {
    pair = await startPrimaryWithStandby();
    const pool = openPool(pair.primary.url, { size: 1 });
    await migrate(pool);
    await pool.close();
    const url = new URL(pair.primary.url);
    url.searchParams.set('target_session_attrs', 'read-write');
    const hosts = [pair.primary, pair.standby].map(({ port }) => `127.0.0.1:${port}`);
    const DATABASE_URL = url.href.replace(url.host, hosts.join(','));
    service = await startService({ databaseUrl: pair.primary.url, env: { DATABASE_URL } });
    receiver = await openReceiver();
    ({ client } = await service.openShop());
  });
  after(async () => {
    await service.stop();
    await receiver.close();
    await pair.close();
  });

  const pageAfter = async (id: string): Promise<string[]> => {
    const { status, text, body } = await client.get(`/v1/events?after=${id}`);
    assert.equal(status, 200, text);
    return body.events.map((event: { id: string }) => event.id);
  };

  test('who reads on is told each once', async () => {
    await client.must(201, 'POST', '/v1/webhooks', { url: receiver.url });
    const paymentId = await client.createReserved(1_000);
    await receiver.until(4);
    const seen = await pageAfter('');
    const stream = await openStream(client, '', { 'last-event-id': '0'.repeat(32) });
    await stream.until(seen.length);

    // The charge is at the standby, its event is not published.
    const charged = Promise.withResolvers<void>();
    const isHeld = Promise.withResolvers<void>();
    const holding = openPool(pair.primary.url, { size: 1 });
    const held = holding.withClient(async (holder) => {
      await holder.query('begin; select 1 from event_counters for update');
      isHeld.resolve();
      await charged.promise;
      await pair.standby.stop();
      await holder.query('rollback');
    });
    await isHeld.promise;
    await client.charge(paymentId, 400);
    charged.resolve();
    await held;
    await holding.close();
    await until('publishing to wait', async () => {
      const waiting = `select 1 ${WAITING_FOR_STANDBY} and query like '%unpublished%'`;
      return (await pair.primary.query(waiting)).length > 0;
    });
    await pair.primary.stop();
    await pair.primary.start();
    const known = `select position from events where subject_id = '${paymentId}' and position > ${seen.length}`;
    assert.ok((await pair.primary.query(known)).length > 0, 'it has a position that only the primary knows');

    // Also who has not read anything yet: the place from which a stream goes on is told before its first event.
    for (const path of [`/v1/events?after=${seen.at(-1)}`, '/v1/events/stream', '/v1/events']) {
      const { status, text } = await client.get(path);
      assert.equal(status, 503, `${path}: ${text}`);
    }

    await pair.primary.stop('SIGKILL');
    await pair.standby.start();
    await pair.promote();
    const published = await until('the event on the server that has taken over', async () => {
      const { status, body } = await client.get(`/v1/events?after=${seen.at(-1)}`);
      return status === 200 && body.events.length === 2 && body.events;
    });
    for (const { id } of published) seen.push(id);
    await client.createReserved(2_000);
    const next = await pageAfter(seen.at(-1) as string);
    assert.equal(next.length, 4);
    seen.push(...next);

    const told = stream.told.map(({ id }) => id);
    const again = await openStream(client, '', { 'last-event-id': told.at(-1) ?? '' });
    told.push(...(await again.until(seen.length - told.length)).map(({ id }) => id));
    again.close();
    assert.deepEqual(told, seen);
    const received = (await receiver.until(seen.length)).map(({ body }) => body.id as string);
    assert.deepEqual(received.toSorted(), seen.toSorted());
  });
});
