// Goal: with several hosts in DATABASE_URL the one that takes what is written is found, and found again when another one
// takes over: after the loss of the primary, after one that freezes, and not lost again when that one thaws. What was
// answered is there, and nothing is there twice. Method: a real primary with a synchronous standby, two services, and
// shops that charge without a pause while one after the other is lost.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { migrate } from '../../src/store/schema/migrate.ts';
import { DatabaseBusy, openPool, OutcomeUnknown } from '../../src/store/connections/pool.ts';
import { openReplication, REPLICATE } from '../../src/store/connections/replication.ts';
import { openServers } from '../../src/store/connections/servers.ts';
import { verifyBooks } from '../../src/store/books/verify.ts';
import type { Client } from '../support/client.ts';
import { until } from '../support/kassa.ts';
import { startService } from '../support/service.ts';
import type { Service } from '../support/service.ts';
import { startPrimaryWithStandby } from '../support/standby.ts';
import type { PrimaryWithStandby } from '../support/standby.ts';

const AMOUNT = 1_000_000;

/** Processes that a process has started. */
function childrenOf(pid: number): number[] {
  const parentOf = (one: string): number => {
    try {
      return Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${one}/stat`, 'utf8'))?.[1]);
    } catch {
      return -1;
    }
  };
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === pid)
    .map(Number);
}

const hasLine = (service: Service, ...words: readonly string[]): boolean =>
  service
    .log()
    .split('\n')
    .some((line) => words.every((some) => line.includes(some)));

/** To a server with all its processes; once it is stopped itself, it starts no other. */
function signalAll(pid: number, signal: 'SIGSTOP' | 'SIGCONT'): void {
  process.kill(pid, signal);
  for (const child of childrenOf(pid)) {
    try {
      process.kill(child, signal);
    } catch {
      // It had ended.
    }
  }
}

describe('several hosts in DATABASE_URL', () => {
  let pair: PrimaryWithStandby;
  let services: Service[];
  let clients: Client[];
  let paymentId: string;
  /** By key, the charges that were answered; and the keys of all that were asked for. */
  const answered = new Map<string, string>();
  const asked = new Set<string>();

  before(async () => {
    pair = await startPrimaryWithStandby();
    const pool = openPool(pair.primary.url, { size: 1 });
    await migrate(pool);
    await pool.close();
    const hosts = [pair.primary, pair.standby].map(({ port }) => `127.0.0.1:${port}`);
    const start = (places: readonly string[]): Promise<Service> => {
      const url = new URL(pair.primary.url);
      url.searchParams.set('target_session_attrs', 'read-write');
      const DATABASE_URL = url.href.replace(url.host, places.join(','));
      return startService({ databaseUrl: pair.primary.url, env: { DATABASE_URL } });
    };
    // For one of them the standby comes first.
    services = await Promise.all([start(hosts), start(hosts.toReversed())]);
    const { client, secretKey } = await (services[0] as Service).openShop();
    clients = services.map((service) => service.client(secretKey));
    paymentId = await client.createReserved(AMOUNT);
  });
  after(async () => {
    await Promise.all(services.map((service) => service.stop()));
    await pair.close();
  });

  /** Asks again with the same key until it is answered. */
  const charge = async (client: Client, key: string): Promise<void> => {
    asked.add(key);
    await until(`the charge ${key}`, async () => {
      const reply = await client
        .post(`/v1/payments/${paymentId}/charges`, { amount: 1 }, { 'idempotency-key': key })
        .catch(() => undefined);
      if (reply === undefined || reply.status >= 500 || reply.status === 409) return false;
      assert.equal(reply.status, 201, reply.text);
      answered.set(key, reply.body.chargeId);
      return true;
    });
  };

  /** Both services charge without a pause while it happens, and for a while after. */
  const whileCharging = async (name: string, happen: () => Promise<void>): Promise<void> => {
    let isOver = false;
    const shops = clients.map(async (client, at) => {
      for (let nth = 0, left = 3; left > 0; nth += 1, left -= isOver ? 1 : 0)
        await charge(client, `${name}-${at}-${nth}`);
    });
    await until('first charges', () => answered.has(`${name}-0-2`) && answered.has(`${name}-1-2`));
    await happen();
    isOver = true;
    await Promise.all(shops);
  };

  /** Line by line on the server that is written to. */
  const expectBooks = async (url: string): Promise<void> => {
    const pool = openPool(url, { size: 2 });
    try {
      const rows = await pool.query<{ id: string }>(
        `select replace(id::text, '-', '') as id from movements where kind = 'charge' and state = 'approved'`,
      );
      assert.deepEqual(rows.map(({ id }) => id).toSorted(), [...answered.values()].toSorted());
      assert.equal(answered.size, asked.size);
      assert.deepEqual((await verifyBooks(pool)).differences, []);
    } finally {
      await pool.close();
    }
  };

  test('a server in recovery refuses for now to make sure of what was found', async () => {
    const pool = openPool(pair.standby.url, { size: 1 });
    try {
      await assert.rejects(pool.run(REPLICATE, []), DatabaseBusy);
    } finally {
      await pool.close();
    }
  });

  test('what was found on one timeline is not made sure of on another', async () => {
    const pool = openPool(pair.primary.url, { size: 1 });
    try {
      const replication = openReplication(pool);
      await replication.confirm('00000001');
      await assert.rejects(replication.confirm('00000002'), OutcomeUnknown);
    } finally {
      await pool.close();
    }
  });

  test('the primary is lost, and the standby takes over', async () => {
    await whileCharging('lost', async () => {
      await pair.primary.stop('SIGKILL');
      await pair.promote();
    });
    await expectBooks(pair.standby.url);
    const told = {
      away: 'a database server does not respond',
      over: 'failover to another database server',
    };
    for (const service of services)
      for (const [at, words] of [
        [pair.primary.port, told.away],
        [pair.standby.port, told.over],
      ] as const)
        await until(words, () => hasLine(service, words, `"server":"127.0.0.1:${at}"`));
  });

  test('the primary freezes, the standby takes over, and stays when the other one thaws', async () => {
    await pair.renew();
    const { pid } = pair.primary;
    await whileCharging('frozen', async () => {
      signalAll(pid, 'SIGSTOP');
      await pair.promote();
    });
    await whileCharging('thawed', async () => {
      signalAll(pid, 'SIGCONT');
      // It is there again, and would take what is written.
      await pair.primary.query('select 1');
    });
    await expectBooks(pair.standby.url);
  });

  test('one that was followed by another is not gone back to, whether that is away or read-only', async (t) => {
    const servers = openServers(`${pair.primary.url} ${pair.standby.url}`);
    t.after(() => servers.close());
    // One that is late at first counts at the next look.
    await until('the newer one', async () => (await servers.find()) === pair.standby.url);
    const { pid } = pair.standby;
    signalAll(pid, 'SIGSTOP');
    try {
      // The other one answers at once, and takes what is written.
      assert.deepEqual([await servers.find(), servers.current()], [undefined, pair.standby.url]);
    } finally {
      signalAll(pid, 'SIGCONT');
    }
    await until('the newer one', async () => (await servers.find()) === pair.standby.url);
    await pair.standby.query('alter system set default_transaction_read_only = on');
    await pair.standby.query('select pg_reload_conf()');
    await until('nobody', async () => (await servers.find()) === undefined);
    assert.equal(servers.current(), pair.standby.url);
  });
});
