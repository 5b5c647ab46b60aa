// Everything that is known in the end, read around the services and through them: our rows, what the API tells, and the
// bank's book.
import type { Line } from '../../src/bank/book.ts';
import { eventIdOf } from '../../src/domain/id.ts';
import { DatabaseAway } from '../../src/store/connections/pool.ts';
import type { Pool } from '../../src/store/connections/pool.ts';
import type { ReceivedEvents } from './event-endpoints.ts';
import type { World } from './world.ts';

export type MovementRow = {
  readonly id: string;
  readonly paymentId: string;
  readonly kind: 'reservation' | 'charge' | 'refund' | 'cancel';
  readonly state: 'pending' | 'approved' | 'declined';
  readonly amount: number;
  readonly currency: string;
  readonly reason: string | null;
};

export type PaymentRow = {
  readonly id: string;
  readonly reference: string;
  readonly reserved: number;
  readonly charged: number;
  readonly refunded: number;
  readonly cancelled: number;
  /** Set aside for what is not known yet. */
  readonly waiting: number;
};

export type KeyRow = {
  readonly key: string;
  readonly paymentId: string;
  readonly movementId: string | null;
  readonly status: number | null;
};

export type BulkRow = {
  readonly name: string | null;
  readonly id: string;
  readonly purpose: 'charge' | 'verification';
  readonly entryCount: number;
};

export type EntryRow = {
  readonly bulkId: string;
  readonly place: number;
  readonly paymentId: string;
  readonly chargeId: string | null;
  readonly state: 'pending' | 'succeeded' | 'failed';
};

type Entry = { readonly amount: number };

export type ListedPayment = {
  readonly paymentId: string;
  readonly summary: {
    readonly reservedAmount: number;
    readonly chargedAmount: number;
    readonly refundedAmount: number;
    readonly cancelledAmount: number;
  };
  readonly charges: readonly (Entry & { readonly chargeId: string })[];
  readonly refunds: readonly (Entry & { readonly refundId: string; readonly state: string })[];
};

export type Books = {
  readonly payments: readonly PaymentRow[];
  readonly movements: readonly MovementRow[];
  readonly keys: readonly KeyRow[];
  readonly bulks: readonly BulkRow[];
  readonly entries: readonly EntryRow[];
  readonly listed: ReadonlyMap<string, ListedPayment>;
  readonly bank: readonly Line[];
  /** What the endpoints were told. */
  readonly byWebhook: ReceivedEvents;
  readonly byHooks: ReceivedEvents;
  /** The ids of all events, in their order. */
  readonly events: readonly string[];
  /** When each id was told to an endpoint first, by performance.now(). */
  readonly toldAtMs: ReadonlyMap<string, number>;
};

const plain = (column: string): string => `replace(${column}::text, '-', '')`;

type Rows = Pick<Books, 'payments' | 'movements' | 'keys' | 'bulks' | 'entries' | 'events'>;

async function readRows(pool: Pool, merchantId: number): Promise<Rows> {
  const payments = await pool.query<PaymentRow>(
    `select ${plain('id')} as id, reference, reserved, charged, refunded, cancelled,
       charging + cancelling + refunding as waiting
     from payments where merchant_id = $1 order by id`,
    [merchantId],
  );
  const movements = await pool.query<MovementRow>(
    `select ${plain('movement.id')} as id, ${plain('payment_id')} as "paymentId", kind, state,
       movement.amount, currency, reason
     from movements as movement
     join payments as payment on payment.part = movement.part and payment.id = payment_id
     where merchant_id = $1 order by movement.payment_id, sequence`,
    [merchantId],
  );
  const keys = await pool.query<KeyRow>(
    `select key, ${plain('subject_id')} as "paymentId", ${plain('movement_id')} as "movementId", status
     from idempotency_records where merchant_id = $1`,
    [merchantId],
  );
  const bulks = await pool.query<BulkRow>(
    `select external_id as name, ${plain('id')} as id, purpose, entry_count as "entryCount"
     from bulks where merchant_id = $1`,
    [merchantId],
  );
  const entries = await pool.query<EntryRow>(
    `select ${plain('bulk_id')} as "bulkId", place, ${plain('payment_id')} as "paymentId",
       ${plain('charge_id')} as "chargeId", state
     from bulk_entries where merchant_id = $1 order by bulk_id, place`,
    [merchantId],
  );
  const events = await pool.query<{ part: number; position: number; happened_at: Date }>(
    'select part, position, happened_at from events where merchant_id = $1 and position is not null order by position',
    [merchantId],
  );
  const ids = events.map(({ part, position, happened_at: at }) => eventIdOf(at.getTime(), part, position));
  return { payments, movements, keys, bulks, entries, events: ids };
}

/** The whole list of payments as the merchant gets it, in turns from both services. */
async function readListed({ kassas, shop }: World): Promise<Map<string, ListedPayment>> {
  const listed = new Map<string, ListedPayment>();
  let [cursor, turn] = ['', 0];
  do {
    const query = cursor === '' ? '' : `&cursor=${cursor}`;
    const url = `${kassas[turn % 2 === 0 ? 0 : 1].url}/v1/payments?limit=100${query}`;
    const response = await fetch(url, { headers: { authorization: shop.secretKey } });
    if (response.status !== 200) throw new Error(`${url}: ${response.status} ${await response.text()}`);
    const page = (await response.json()) as { payments: ListedPayment[]; cursor?: string };
    for (const payment of page.payments) listed.set(payment.paymentId, payment);
    cursor = page.cursor ?? '';
    turn += 1;
  } while (cursor !== '');
  return listed;
}

export async function readBooks(world: World): Promise<Books> {
  const rows = await world.withPool((pool) => readRows(pool, world.shop.merchantId));
  const { byWebhook, byHooks, toldAtMs } = world.eventEndpoints;
  return { ...rows, listed: await readListed(world), bank: await world.readBook(), byWebhook, byHooks, toldAtMs };
}

export type Pending = { readonly movements: number; readonly entries: number };

/** Undefined when the database has no answer for the moment. */
export async function countPending(world: World): Promise<Pending | undefined> {
  return world.withPool(async (pool) => {
    const rows = pool.query<Pending>(
      `select (select count(*)::int from movements where state = 'pending') as movements,
         (select count(*)::int from bulk_entries where state = 'pending') as entries`,
    );
    const [row] = await rows.catch((error: unknown) => {
      if (error instanceof DatabaseAway) return [];
      throw error;
    });
    return row;
  });
}

/**
 * The leases of whoever was killed are over early, those of whoever lives as well: they come late, and double nothing.
 * To be called again and again: whoever is in its way goes first.
 */
export async function hastenEntries(world: World): Promise<void> {
  await world
    .withPool((pool) =>
      pool.query("update bulk_entries set next_try_at = now() where state = 'pending' and next_try_at > now()"),
    )
    .catch(() => {});
}
