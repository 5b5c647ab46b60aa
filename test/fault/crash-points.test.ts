// Goal: wherever the process is cut on the way of a movement, the movement is carried out once or not at all, and
// everybody is told the same of it afterwards: the merchant, the consumer and the bank.
// Method: for every checkpoint of the way and every kind of scenario that passes it, a payment is held at that
// checkpoint for ever; then the process ends by SIGKILL. So for the checkpoints of the request that began it, and for
// those of the resolver that finishes it. A service is started on the same database and the same bank, and when nothing
// is pending any more, the books are held against each other, and each scenario is sent once more.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { CHECKPOINTS } from '../../src/ops/checkpoints.ts';
import type { Checkpoint } from '../../src/ops/checkpoints.ts';
import { putAcquirer } from '../../src/store/merchants/acquirers.ts';
import { openPool } from '../../src/store/connections/pool.ts';
import type { Pool } from '../../src/store/connections/pool.ts';
import { verifyBooks } from '../../src/store/books/verify.ts';
import { startBank } from '../support/bank.ts';
import type { RunningBank } from '../support/bank.ts';
import { Consumer } from '../support/checkout.ts';
import { CrashPlan } from '../support/crash-plan.ts';
import { depth } from '../support/depth.ts';
import { until } from '../support/kassa.ts';
import { isReplayed } from '../support/keyed-operations.ts';
import { spawnService, startService } from '../support/service.ts';
import type { Service, SpawnedService, Shop } from '../support/service.ts';
import { CANCEL, CHARGE, CHARGE_WITHOUT_KEY, DECLINED_CHARGE, PAY, PAY_AND_CHARGE } from '../support/scenarios.ts';
import { FINAL_CHARGE, PAY_WITH_CHALLENGE, REFUND, RESERVE, REST } from '../support/scenarios.ts';
import type { Ready, Scenario } from '../support/scenarios.ts';

type Case = {
  readonly scenario: Scenario;
  readonly checkpoint: Checkpoint;
  readonly nth: number;
  /** What the bank has done before a service is cut while it finishes what another one has begun. */
  readonly bank?: 'acted' | 'never heard of it';
  ready?: Ready;
};

const ENV = { KASSA_LOG_LEVEL: 'silent' };
// For who is to give up; everybody else has all the time that a slow machine takes.
const IMPATIENT = { ...ENV, KASSA_ACQUIRER_TIMEOUT: '5s' };

const casesOf = (
  scenarios: readonly Scenario[],
  points: readonly (Checkpoint | readonly [Checkpoint, number])[],
  bank?: Case['bank'],
) =>
  scenarios.flatMap((scenario) =>
    points.map((point): Case => {
      const [checkpoint, nth] = typeof point === 'string' ? [point, 1] : point;
      return { scenario, checkpoint, nth, ...(bank && { bank }) };
    }),
  );

const SENT: readonly Checkpoint[] = ['decided', 'intent committed', 'before send', 'after send', 'before settle'];
const MOVES = [CHARGE, REFUND, CANCEL];
// They go the way of a charge; each differs in what is kept or told in the end.
const OTHER_CHARGES = [CHARGE_WITHOUT_KEY, DECLINED_CHARGE];

const requested: readonly Case[] = [
  ...casesOf([RESERVE, PAY, PAY_WITH_CHALLENGE, ...MOVES], [...SENT, 'settled', 'before answer']),
  ...casesOf(
    OTHER_CHARGES,
    depth({ daily: ['decided', 'after send', 'settled'], release: [...SENT, 'settled', 'before answer'] }),
  ),
  ...casesOf(
    [PAY_AND_CHARGE, FINAL_CHARGE],
    [...SENT, 'next intended', ['before send', 2], ['after send', 2], ['before settle', 2], 'settled', 'before answer'],
  ),
];

const ASKED: readonly Checkpoint[] = ['claimed', 'asked', 'before settle', 'settled', 'resolved'];

const resolved: readonly Case[] = [
  ...casesOf([RESERVE], ASKED, 'acted'),
  ...casesOf(
    [PAY_AND_CHARGE],
    ['before settle', 'next intended', 'resolved', 'before send', 'after send', 'settled'],
    'acted',
  ),
  ...casesOf([RESERVE], ASKED, 'never heard of it'),
  ...casesOf([CHARGE, REFUND, CANCEL], [...ASKED, 'before send', 'after send'], 'never heard of it'),
];

const isActedOn = ({ bank }: Case): boolean => bank === 'acted';

/** Of a charge at once, whose intent comes with the outcome of its reservation. */
const isFollowUp = ({ scenario, checkpoint }: Case): boolean =>
  scenario === PAY_AND_CHARGE &&
  (checkpoint === 'before send' || checkpoint === 'after send' || checkpoint === 'settled');

/** The answer of a refund whose outcome is open is kept by the request. */
const kept: Case = { scenario: REFUND, checkpoint: 'answer recorded', nth: 1, bank: 'never heard of it' };

/** A database, a bank, a shop, and all that services on them are started with. */
type Scene = {
  readonly bank: RunningBank;
  readonly plan: CrashPlan;
  readonly databaseUrl: string;
  readonly shop: Shop;
  /** The service that prepares, and later the one that checks. */
  service: Service;
};

async function openScene(cases: readonly Case[]): Promise<Scene> {
  const [service, bank, plan] = await Promise.all([startService({ env: ENV }), startBank(), CrashPlan.open()]);
  await putAcquirer(service.pool, { name: 'bank', url: bank.url, key: bank.key });
  const shop = await service.openShop({ acquirer: 'bank' });
  await Promise.all(
    cases.map(async (each) => {
      each.ready = await each.scenario.prepare(service, shop);
    }),
  );
  return { bank, plan, databaseUrl: service.databaseUrl, shop, service };
}

const readyOf = ({ ready }: Case): Ready => ready as Ready;
const idsOf = (cases: readonly Case[]): string[] => cases.map((each) => readyOf(each).paymentId);

const startAgain = ({ databaseUrl }: Scene): Promise<Service> => startService({ databaseUrl, env: ENV });

/** A service that holds the payments of the cases, each at its checkpoint. */
async function startHolding({ databaseUrl, plan }: Scene, cases: readonly Case[], env = ENV): Promise<SpawnedService> {
  for (const each of cases) await plan.cutAt(readyOf(each).paymentId, each);
  return spawnService({ databaseUrl, env: { ...env, ...plan.env }, flags: plan.flags });
}

/** Every scenario is under way in one process, each at its checkpoint, when that ends. */
async function cutRequests(scene: Scene): Promise<void> {
  await scene.service.stop();
  const service = await startHolding(scene, requested);
  const replies = requested.map((each) =>
    each.scenario.send(service, scene.shop, readyOf(each)).then(
      ({ status, text }) => `${nameOf(each)}: ${status} ${text}`,
      () => undefined,
    ),
  );
  try {
    await Promise.race([scene.plan.held(idsOf(requested)), ...replies.map(failIfAnswered)]);
  } finally {
    await service.kill();
  }
  assert.deepEqual((await Promise.all(replies)).filter(Boolean), []);
}

/** Who is answered was not held: that is told at once, and not when the time is up. */
async function failIfAnswered(reply: Promise<string | undefined>): Promise<never> {
  const text = await reply;
  if (text !== undefined) assert.fail(text);
  return new Promise(() => {});
}

/** Leaves the scenarios pending: of one kind the bank has acted on each, of the other it has heard of none. */
async function leavePending(scene: Scene): Promise<void> {
  const { bank, plan, shop, databaseUrl } = scene;
  await scene.service.stop();
  const first = await startService({ databaseUrl, env: IMPATIENT });
  const send = (service: Service, cases: readonly Case[]): Promise<void[]> =>
    Promise.all(
      cases.map(async (each) => {
        const { status, text } = await each.scenario.send(service, shop, readyOf(each));
        assert.ok([500, 409, 201].includes(status), `${nameOf(each)}: ${status} ${text}`);
      }),
    );
  const lines = (await bank.book()).length;
  await bank.setFaults({ hangAfter: 1 });
  const acted = send(first, resolved.filter(isActedOn));
  await until('the bank to act', async () => (await bank.book()).length === lines + resolved.filter(isActedOn).length);
  await bank.setFaults({ hang: 1 });
  // Another process: the first one may have stopped asking a bank that does not answer.
  const other = await startHolding(scene, [kept], IMPATIENT);
  const cut = kept.scenario.send(other, shop, readyOf(kept)).catch(() => undefined);
  const unheard = resolved.filter((each) => !isActedOn(each));
  try {
    await Promise.all([acted, send(other, unheard), plan.held(idsOf([kept]))]);
  } finally {
    await other.kill();
  }
  await first.stop();
  assert.equal(await cut, undefined);
  await bank.setFaults({});
}

const due = (pool: Pool, cases: readonly Case[]): Promise<unknown> =>
  pool.query(
    `update movements set tries = 0, next_try_at = case when payment_id = any ($1::uuid[]) then now() else 'infinity' end
     where state = 'pending'`,
    [idsOf(cases)],
  );

/** Much is being finished by one process, each movement at its checkpoint, when that ends; and so twice. */
async function cutResolver(scene: Scene): Promise<void> {
  await leavePending(scene);
  const pool = openPool(scene.databaseUrl, { size: 1 });
  const count = async (what: string, cases: readonly Case[]): Promise<number> => {
    const text = `select count(*)::int as count from movements where payment_id = any ($1) and state = 'pending' and ${what}`;
    return (await pool.query<{ count: number }>(text, [idsOf(cases)]))[0]?.count ?? 0;
  };
  // What a process holds is in its way, so each has to get all of its movements in one round.
  const cut = async (cases: readonly Case[], finishesBefore: readonly Case[] = []): Promise<void> => {
    await due(pool, [...cases, ...finishesBefore]);
    const service = await startHolding(scene, cases);
    try {
      await scene.plan.held(idsOf(cases));
      await until('the rest', async () => (await count(`kind = 'reservation'`, finishesBefore)) === 0);
    } finally {
      await service.kill();
    }
  };
  try {
    const unheard = resolved.filter((each) => !isActedOn(each));
    const followUps = resolved.filter(isFollowUp);
    await cut(
      resolved.filter((each) => isActedOn(each) && !isFollowUp(each)),
      followUps,
    );
    await cut([...followUps, ...unheard]);
    await pool.query(`update movements set next_try_at = now() where state = 'pending'`);
  } finally {
    await pool.close();
  }
}

type Row = { id: string; kind: string; state: string; amount: number; reason: string | null };

const rowsOf = ({ service }: Scene, paymentId?: string): Promise<Row[]> =>
  service.pool.query<Row>(
    `select replace(id::text, '-', '') as id, kind, state, amount, reason from movements
     where $1::uuid is null or payment_id = $1 order by id`,
    [paymentId ?? null],
  );

const NEVER_HEARD = 'the acquirer never heard of it; it may be approved later';

/** Line by line, but for reservations that never reached the bank and were given up. */
async function expectSameBooks(scene: Scene): Promise<void> {
  const ours = (await rowsOf(scene)).filter(({ kind, reason }) => kind !== 'reservation' || reason !== NEVER_HEARD);
  const theirs = (await scene.bank.book()).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const lineOf = ({ id, kind, state, amount }: Omit<Row, 'reason'>) => ({ id, kind, state, amount });
  assert.deepEqual(ours.map(lineOf), theirs.map(lineOf));
}

/** Whether the scenario came to nothing: it was cut before its intent, or it is a reservation that the bank never got. */
function isLost({ scenario, checkpoint, nth, bank }: Case): boolean {
  if (checkpoint === 'decided') return true;
  if (scenario.kind !== 'reservation') return false;
  return bank ? bank !== 'acted' : nth === 1 && (checkpoint === 'intent committed' || checkpoint === 'before send');
}

/** What stands in the books of the scenario, before anybody sends it again. */
async function expectOneEffect(scene: Scene, each: Case): Promise<void> {
  const { scenario, checkpoint } = each;
  const rows = await rowsOf(scene, readyOf(each).paymentId);
  // A refund needs a charge, and a cancel a reservation: those are no part of the scenario.
  const own = rows.filter(({ kind }) => kind === scenario.kind).map(({ state, reason }) => [state, reason]);
  if (checkpoint === 'decided') assert.deepEqual(own, []);
  else if (isLost(each)) assert.deepEqual(own, [['declined', NEVER_HEARD]]);
  else
    assert.deepEqual(
      own.map(([state]) => state),
      [scenario.state],
    );
  if (scenario === FINAL_CHARGE) {
    const cancels = rows.filter(({ kind }) => kind === 'cancel').map(({ state, amount }) => [state, amount]);
    assert.deepEqual(cancels, isLost(each) ? [] : [['approved', REST]]);
  }
  if (scenario !== PAY_AND_CHARGE) return;
  const charged = rows
    .filter(({ kind, state }) => kind === 'charge' && state === 'approved')
    .map(({ amount }) => amount);
  assert.deepEqual(charged, isLost(each) ? [] : [scenario.amount]);
}

async function expectSameAnswers({ service, shop }: Scene, { scenario, ready }: Case): Promise<void> {
  const [first, second] = [
    await scenario.send(service, shop, ready as Ready),
    await scenario.send(service, shop, ready as Ready),
  ];
  assert.equal(first.status, scenario.status, first.text);
  assert.deepEqual([second.status, second.text, isReplayed(second)], [first.status, first.text, true]);
}

/** A consumer whose reservation was lost can pay; one who has paid is told so. */
async function expectPaidInTheEnd({ service, shop }: Scene, each: Case): Promise<void> {
  const consumer = new Consumer(service, shop, readyOf(each).paymentId);
  assert.equal((await consumer.state()).body.state, isLost(each) ? 'open' : 'paid');
  const again = await consumer.pay();
  assert.equal(again.status, isLost(each) ? 201 : 409, again.text);
  assert.equal((await consumer.state()).body.state, 'paid');
}

const nameOf = ({ scenario, checkpoint, nth, bank }: Case): string =>
  `${scenario.name}, cut at "${checkpoint}"${nth > 1 ? ` for the ${nth}nd time` : ''}${bank ? `; the bank ${bank}` : ''}`;

/** A service is started once more, and finishes what is left. */
async function comeToRest(scene: Scene): Promise<void> {
  scene.service = await startAgain(scene);
  await until('nothing to be pending', async () => {
    const [row] = await scene.service.pool.query<{ pending: number }>(
      `select count(*)::int as pending from movements where state = 'pending'`,
    );
    return row?.pending === 0;
  });
}

const scenes = [
  { what: 'a request', cases: requested, cut: cutRequests },
  { what: 'the resolver', cases: [...resolved, kept], cut: cutResolver },
];

test('every checkpoint is cut', () => {
  assert.deepEqual(
    new Set([...requested, ...resolved, kept].map(({ checkpoint }) => checkpoint)),
    new Set(CHECKPOINTS),
  );
});

// decision: lost-answers-of-an-acquirer, reservation-that-the-acquirer-does-not-know
describe('cut at every checkpoint of its way', () => {
  const opened = new Map<string, Scene>();
  before(async () => {
    const open = async ({ what, cases, cut }: (typeof scenes)[number]): Promise<void> => {
      const scene = await openScene(cases);
      opened.set(what, scene);
      await cut(scene);
      await comeToRest(scene);
    };
    await Promise.all(scenes.map(open));
  });
  after(async () => {
    for (const { service, bank, plan } of opened.values())
      await Promise.all([service.stop(), bank.stop(), plan.close()]);
  });

  for (const { what, cases } of scenes) {
    describe(what, () => {
      const scene = (): Scene => opened.get(what) as Scene;

      test('the books agree line by line, and verify finds nothing', async () => {
        await expectSameBooks(scene());
        assert.deepEqual((await verifyBooks(scene().service.pool)).differences, []);
      });

      for (const each of cases)
        test(nameOf(each), async () => {
          await expectOneEffect(scene(), each);
          const { kind, isKeyed, state } = each.scenario;
          if (kind === 'reservation') await expectPaidInTheEnd(scene(), each);
          else if (isKeyed) await expectSameAnswers(scene(), each);
          const rows = await rowsOf(scene(), readyOf(each).paymentId);
          const done = rows.filter((row) => row.kind === kind && row.state === state).length;
          assert.equal(done, isKeyed || kind === 'reservation' || !isLost(each) ? 1 : 0);
        });

      test('the books still agree', () => expectSameBooks(scene()));
    });
  }
});
