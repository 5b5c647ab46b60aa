// Goal: with the embedded Postgres, too, nothing acknowledged is lost, whoever is killed: the service, which leaves its
// Postgres behind, or Postgres itself in the middle of its writes. Also: what a standby may not have is not acknowledged.
// Method: the real program with a data folder of its own, killed and started again while writers with a journal go on.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { useEmbeddedDatabase } from '../../src/database/embedded.ts';
import { openPool } from '../../src/store/connections/pool.ts';
import type { Pool } from '../../src/store/connections/pool.ts';
import { aCreate, Client } from '../support/client.ts';
import type { Reply } from '../support/client.ts';
import { runKassa, serveKassa, until } from '../support/kassa.ts';
import type { Running } from '../support/kassa.ts';
import { keyed } from '../support/keyed-operations.ts';
import { WAITING_FOR_STANDBY } from '../support/standby.ts';
import { Writers } from '../support/writers.ts';
import { Workshop } from '../database/workshop.ts';

/** A Kassa with an embedded Postgres, both of which can be killed. */
class Victim {
  readonly #t: TestContext;
  readonly #shop: Workshop;
  readonly env: { readonly KASSA_DATA_DIR: string };
  kassa: Running | undefined;
  #secretKey = '';

  constructor(t: TestContext) {
    this.#t = t;
    this.#shop = new Workshop();
    this.#shop.bringDatabase();
    this.env = { KASSA_DATA_DIR: this.#shop.dataDir };
    t.after(() => this.#shop.close());
  }

  async start(): Promise<void> {
    this.kassa = await serveKassa(this.#t, { env: this.env });
    this.#secretKey ||= this.kassa.secretKey;
  }

  client(): Client {
    return new Client(this.kassa?.url ?? '', this.#secretKey);
  }

  postmaster(): number {
    return this.#shop.postmaster() ?? assert.fail('there is no Postgres');
  }
}

describe('killed postgres', () => {
  test('kill -9 of the service, then of Postgres, while writing: nothing acknowledged is lost, nothing is doubled', async (t) => {
    const victim = new Victim(t);
    await victim.start();
    const writers = new Writers({ clientFor: () => victim.client(), unkeyedEvery: 5 });
    const writing = writers.write(160, 12);
    const left = victim.postmaster();

    await writers.reached(200);
    await victim.kassa?.kill();
    await victim.start();
    assert.equal(victim.postmaster(), left, 'the Postgres that was left behind is taken over');

    await writers.reached(450);
    const sentAgain = writers.sentAgain;
    process.kill(left, 'SIGKILL');
    await until('requests that the end of Postgres has hit', () => writers.sentAgain > sentAgain + 20);
    await victim.kassa?.kill();
    await victim.start();
    assert.notEqual(victim.postmaster(), left);

    await writing;
    await writers.check(victim.client());
    const verified = await runKassa(['verify'], { env: victim.env });
    assert.match(verified.out, /The books balance\./);
    assert.equal(verified.code, 0);
    await victim.kassa?.stop();
  });

  // decision: a-commit-with-unknown-outcome
  test('a commit whose wait for the standby was cancelled is answered only when the standby has it', async (t) => {
    const victim = new Victim(t);
    await victim.start();
    const client = victim.client();
    const embedded = await useEmbeddedDatabase({ dataDir: victim.env.KASSA_DATA_DIR });
    const admin = openPool(embedded.url, { size: 2 });
    try {
      await setStandby(admin, 'a_standby_that_is_away');
      const create = (): Promise<Reply> => client.post('/v1/payments', aCreate(1_234), keyed('k'));
      let told: number | undefined;
      const reply = create().then((answer) => {
        told = answer.status;
        return answer;
      });
      // The wait of the commit is cancelled: Postgres reports success and a warning. Then, that it is asked again.
      const waiting = `select pid ${WAITING_FOR_STANDBY}`;
      const commits = `${waiting} and query like '-- Writes a group%'`;
      const [first] = await until('the wait for the standby', () => someRows(admin, commits));
      await admin.query('select pg_cancel_backend($1)', [first?.pid]);
      await until('a second wait', async () => (await someRows(admin, waiting))?.some(({ pid }) => pid !== first?.pid));
      await sleep(200);
      // On a slow machine it may have been told that nobody knows; that it is done, not before the standby has it.
      assert.notEqual(told, 201);
      assert.equal((await admin.query('select 1 from payments where amount = 1234')).length, 1);
      await setStandby(admin, '');
      const { status, body } = await reply.then((answer) =>
        answer.status === 201
          ? answer
          : until('the answer', async () => {
              const again = await create();
              return again.status === 201 ? again : undefined;
            }),
      );
      assert.equal(status, 201);
      assert.equal((await client.payment(body.paymentId)).summary.reservedAmount, 0);
    } finally {
      await setStandby(admin, '');
      await admin.close();
      await embedded.stop();
    }
    await victim.kassa?.stop();
  });
});

async function setStandby(admin: Pool, name: string): Promise<void> {
  await admin.query(`alter system set synchronous_standby_names = '${name}'`);
  await admin.query('select pg_reload_conf()');
  await until('the setting', async () => {
    const [row] = await admin.query<{ set: string }>("select current_setting('synchronous_standby_names') as set");
    return row?.set === name;
  });
}

async function someRows(pool: Pool, text: string): Promise<{ pid: number }[] | undefined> {
  const rows = await pool.query<{ pid: number }>(text);
  return rows.length === 0 ? undefined : rows;
}
