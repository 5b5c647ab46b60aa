// Gathers charges and refunds into payouts: one per merchant, UTC day and currency, once the day is over by the clock
// of the database. Each part is walked in the order in which its movements were written, a page per transaction that
// also saves the position, so any process can do it, each movement is visited once, and a crash costs nothing. Pending
// movements are kept separately, and paid out on the day on which their outcome is known. The tax of each is that of
// its invoice or credit note.
import { createHash } from 'node:crypto';
import { makeId } from '../../../domain/id.ts';
import type { Pool } from '../../connections/pool.ts';
import { withinTransaction } from '../../connections/transaction.ts';
import { sealOf } from '../../statements/seals.ts';
import { walkParts } from '../walk-parts.ts';
import type { PartStep } from '../walk-parts.ts';
import { taxesOf } from './taxes.ts';

// Some milliseconds of work, or a second if all of them are as large as payments get.
const PAGE = 200;
// A commit is dated by its beginning and visible at its end; none takes longer, except those that wait for a standby.
const SEEN_WITHIN = `interval '10 minutes'`;

type Walk = { readonly part: number; readonly day: string; readonly walkedAt: string; readonly walkedId: string };

type Met = {
  readonly id: string;
  readonly kind: 'charge' | 'refund';
  readonly state: 'pending' | 'approved' | 'declined';
  readonly amount: number;
  readonly at: string;
  readonly merchantId: number;
  readonly homePart: number;
  readonly currency: string;
  readonly paymentId: string;
  /** Null for a part without items: its tax depends on what was taken before it. */
  readonly vat: number | null;
};

/** In a part that was not walked yet, the walk begins with its first movement. */
const BEGIN = `insert into payout_walks (part, day)
  select part, coalesce(
    (select (created_at at time zone 'UTC')::date from movements
     where movements.part = home.part and kind in ('charge', 'refund') order by created_at, id limit 1),
    (now() at time zone 'UTC')::date)
  from (select distinct unnest(parts) as part from merchants) as home
  where not exists (select 1 from payout_walks where payout_walks.part = home.part)
  on conflict do nothing`;

/** $1 parts to leave out. The part that has been due longest, skipping those that other processes have. */
const CLAIM = `update payout_walks set stepped_at = now()
  where part = (
    select part from payout_walks
    where part <> all ($1::smallint[]) and day < ((now() - ${SEEN_WITHIN}) at time zone 'UTC')::date
      and (day + 1)::timestamp at time zone 'UTC' <= coalesce((
        select min(xact_start) from pg_stat_activity
        where datname = current_database() and backend_xid is not null and pid <> pg_backend_pid()
      ), 'infinity')
    order by stepped_at, part limit 1 for update skip locked
  )
  returning part, day::text as day, walked_at::text as "walkedAt", walked_id as "walkedId"`;

// A movement of the whole has no items of its own: they are those of its charge, or of the order. A part without items
// has an empty list, whose sum is null.
const VAT = `(select sum((item ->> 'taxAmount')::bigint)
  from json_array_elements(coalesce(movement.items, charge.items, payment.items)) as item)::bigint`;

const MET = `movement.id, movement.kind, movement.state, movement.amount, movement.created_at::text as at,
  movement.payment_id as "paymentId", payment.merchant_id as "merchantId", merchants.parts[1] as "homePart",
  payment.currency, ${VAT} as vat`;
const OF_PAYMENT = `join payments as payment on payment.part = movement.part and payment.id = movement.payment_id
  join merchants on merchants.id = payment.merchant_id
  left join movements as charge on charge.part = movement.part and charge.id = movement.charge_id`;

/** $1 part, $2 and $3 the last one visited, $4 the day: its next movements, and late ones. */
export const NEXT_TO_PAY_OUT = `select ${MET} from (
    select * from movements
    where part = $1 and kind in ('charge', 'refund') and (created_at, id) > ($2::timestamptz, $3::uuid)
      and created_at < ($4::date + 1)::timestamp at time zone 'UTC'
    order by created_at, id limit ${PAGE}
  ) as movement ${OF_PAYMENT}
  order by movement.created_at, movement.id`;

const KNOWN_SINCE = `select ${MET} from payout_actions as action
  join movements as movement on movement.part = action.part and movement.id = action.movement_id
  ${OF_PAYMENT}
  where action.part = $1 and action.payout_id is null and movement.state <> 'pending'
  order by movement.id limit ${PAGE}`;

/** A stable id of a payout, from its merchant, day and currency. */
function payoutIdOf(merchantId: number, homePart: number, day: string, currency: string): string {
  const name = createHash('sha256').update(`payout:${merchantId}:${day}:${currency}`).digest('hex');
  return makeId(Date.parse(`${day}T00:00:00Z`), homePart, name.slice(0, 16));
}

/** Adds approved movements to the payouts of a day, and numbers them there. */
async function payOut(pool: Pool, { part, day }: Walk, approved: readonly Met[]): Promise<void> {
  if (approved.length === 0) return;
  const taxes = await taxesOf(pool, approved);
  const byPayout = Map.groupBy(approved, ({ merchantId, homePart, currency }) =>
    payoutIdOf(merchantId, homePart, day, currency),
  );
  const sumOf = (met: readonly Met[], kind: Met['kind']): number =>
    met.reduce((sum, each) => sum + (each.kind === kind ? each.amount : 0), 0);
  const additions = [...byPayout].map(([id, met]) => ({
    part: met[0]?.homePart,
    id,
    merchant_id: met[0]?.merchantId,
    currency: met[0]?.currency,
    charged: sumOf(met, 'charge'),
    refunded: sumOf(met, 'refund'),
    charge_count: met.filter(({ kind }) => kind === 'charge').length,
    action_count: met.length,
  }));
  const sums = await pool.query<{ id: string; count: number }>(
    `insert into payouts (part, id, merchant_id, day, currency, charged, refunded, charge_count, action_count, seal)
     select part, id, merchant_id, $2::date, currency, charged, refunded, charge_count, action_count,
       ${sealOf('payouts', 'addition', { day: '$2::date' })}
     from json_to_recordset($1) as addition (part smallint, id uuid, merchant_id bigint, currency text, charged bigint,
       refunded bigint, charge_count integer, action_count integer)
     order by part, id
     on conflict (part, id) do update set
       charged = payouts.charged + excluded.charged, refunded = payouts.refunded + excluded.refunded,
       charge_count = payouts.charge_count + excluded.charge_count,
       action_count = payouts.action_count + excluded.action_count
     returning replace(id::text, '-', '') as id, action_count as count`,
    [JSON.stringify(additions), day],
  );
  const counts = new Map(sums.map(({ id, count }) => [id, count]));
  const actions = [...byPayout].flatMap(([id, met]) => {
    const first = (counts.get(id) ?? 0) - met.length;
    return met.map(({ id: movement }, index) => ({
      movement_id: movement,
      payout_id: id,
      place: first + index,
      vat: taxes.get(movement),
    }));
  });
  await pool.query(
    `insert into payout_actions (part, movement_id, payout_id, place, vat, seal)
     select $2::smallint, movement_id, payout_id, place, vat,
       ${sealOf('payout_actions', 'action', { part: '$2::smallint' })}
     from json_to_recordset($1) as action (movement_id uuid, payout_id uuid, place integer, vat bigint)
     on conflict (part, movement_id) do update set
       payout_id = excluded.payout_id, place = excluded.place, vat = excluded.vat, seal = excluded.seal
     where payout_actions.payout_id is null`,
    [JSON.stringify(actions), part],
  );
}

const idsOf = (met: readonly Met[], state: Met['state']): string[] =>
  met.filter((each) => each.state === state).map(({ id }) => id);

/** Where the walk continues: with the next day that has movements, or with this one, if it is not over. */
const END_DAY = `update payout_walks set day = greatest(day + 1, least(
    (now() at time zone 'UTC')::date,
    (select (created_at at time zone 'UTC')::date from movements
     where movements.part = $1 and kind in ('charge', 'refund')
       and (created_at, id) > (payout_walks.walked_at, payout_walks.walked_id)
     order by created_at, id limit 1)))
  where part = $1`;

/** One step of one part; false if none is due. */
async function step(pool: Pool, { failed, onClaimed }: PartStep): Promise<boolean> {
  return withinTransaction(pool, async (within) => {
    const [walk] = await within.query<Walk>(CLAIM, [failed]);
    if (walk === undefined) return false;
    const { part, day, walkedAt, walkedId } = walk;
    onClaimed(part);
    const met = await within.query<Met>(NEXT_TO_PAY_OUT, [part, walkedAt, walkedId, day]);
    const last = met.at(-1);
    await payOut(
      within,
      walk,
      met.filter(({ state }) => state === 'approved'),
    );
    const pending = idsOf(met, 'pending');
    if (pending.length > 0)
      await within.query(
        'insert into payout_actions (part, movement_id) select $1, unnest($2::uuid[]) on conflict do nothing',
        [part, pending],
      );
    if (last)
      await within.query('update payout_walks set walked_at = $2::timestamptz, walked_id = $3::uuid where part = $1', [
        part,
        last.at,
        last.id,
      ]);
    if (met.length === PAGE) return true;
    const known = await within.query<Met>(KNOWN_SINCE, [part]);
    await payOut(
      within,
      walk,
      known.filter(({ state }) => state === 'approved'),
    );
    await within.query('delete from payout_actions where part = $1 and movement_id = any ($2::uuid[])', [
      part,
      idsOf(known, 'declined'),
    ]);
    if (known.length < PAGE) await within.query(END_DAY, [part]);
    return true;
  });
}

/** Gathers everything of past days, in small steps with pauses. */
export async function gatherPayouts(pool: Pool, signal: AbortSignal): Promise<void> {
  await pool.query(BEGIN);
  await walkParts(signal, (of) => step(pool, of));
}
