// Walks over everything to check, piece by piece; each piece knows where the next begins, so a walk can be resumed. A
// part is as large as its merchants: small parts are combined, and a large one is divided by ids or, for daily sums, by
// days. Ranges have no gaps: every id is in one of them, even if it belongs to no one.
import { NO_ID, PARTS } from '../../../domain/id.ts';
import type { Pool } from '../../connections/pool.ts';
import type { Range } from './ranges.ts';

/** Where a piece begins: a part, and an id, a day or a time. */
export type Place = readonly [part: number, at: string];

export type Piece = {
  readonly range: Range;
  readonly next: Place;
  /** The number of payments in it, if that is counted. */
  readonly payments: number;
};

export type Walk = {
  readonly name: string;
  readonly pieces: (from?: Place) => AsyncGenerator<Piece>;
};

/** Payments per piece: about a second of work, so that no snapshot is held for long, and little is repeated. */
export const PIECE = 20_000;
// Movements and idempotency records per payment.
const PER_PAYMENT = 2;
const PARTS_AT_ONCE = 1_024;

const EARLIEST = '-infinity';
const LATEST = 'infinity';

type Home = { readonly part: number; readonly id: string };

/** The payment with so many before it, from a position on. */
async function findEnd(pool: Pool, [part, id]: Place, size: number): Promise<Home | undefined> {
  const [row] = await pool.query<Home>(
    `select part, id from payments where (part, id) >= ($1::smallint, $2::uuid)
     order by part, id offset $3 limit 1`,
    [part, id, size],
  );
  return row;
}

/** The number from a position on, up to a part; at most one piece. */
async function countTo(pool: Pool, [part, id]: Place, last: number, size: number): Promise<number> {
  const [row] = await pool.query<{ count: number }>(
    `select count(*)::int as count from (
       select 1 from payments where (part, id) >= ($1::smallint, $2::uuid) and part <= $3
       order by part, id limit $4
     ) as counted`,
    [part, id, last, size],
  );
  return row?.count ?? 0;
}

export const walkIds = (pool: Pool, size: number): Walk => ({
  name: 'payments',
  async *pieces(begin = [0, NO_ID]) {
    let [part, from] = begin;
    while (part < PARTS) {
      const end = await findEnd(pool, [part, from], size);
      if (end?.part === part) {
        const next = [part, end.id] as const;
        yield { range: { kind: 'ids', part, from, before: end.id }, next, payments: size };
        from = end.id;
        continue;
      }
      // The rest of a large part; or small ones, up to the next large one.
      const isRest = from !== NO_ID;
      const last = isRest ? part : (end?.part ?? PARTS) - 1;
      const range: Range = isRest ? { kind: 'ids', part, from } : { kind: 'parts', first: part, last };
      yield { range, next: [last + 1, NO_ID], payments: await countTo(pool, [part, from], last, size) };
      [part, from] = [last + 1, NO_ID];
    }
  },
});

/** The day after that of the movement with so many before it, from a day on. */
async function findDay(pool: Pool, part: number, from: string, size: number): Promise<string | undefined> {
  const [row] = await pool.query<{ day: string }>(
    `select ((created_at at time zone 'UTC')::date + 1)::text as day from movements
     where part = $1 and created_at >= $2::date::timestamp at time zone 'UTC'
     order by created_at offset $3 limit 1`,
    [part, from, size * PER_PAYMENT],
  );
  return row?.day;
}

export const walkFigures = (pool: Pool, size: number, name = 'figures', firstDay = EARLIEST): Walk => ({
  name,
  async *pieces(begin = [0, firstDay]) {
    let [part, from] = begin;
    while (part < PARTS) {
      const end = await findEnd(pool, [part, NO_ID], size);
      const isLarge = end?.part === part;
      const last = isLarge ? part : (end?.part ?? PARTS) - 1;
      const before = isLarge ? await findDay(pool, part, from, size) : undefined;
      const next: Place = before === undefined ? [last + 1, firstDay] : [part, before];
      yield { range: { kind: 'figures', first: part, last, from, before: before ?? LATEST }, next, payments: 0 };
      [part, from] = next;
    }
  },
});

export const walkAnswers = (pool: Pool, size: number, name = 'answers', since = EARLIEST): Walk => ({
  name,
  async *pieces(begin = [0, since]) {
    for (let [, after] = begin; after !== LATEST;) {
      const [row] = await pool.query<{ to: string }>(
        `select created_at::text as to from idempotency_records where created_at > $1::timestamptz
         order by created_at offset $2 limit 1`,
        [after, size * PER_PAYMENT],
      );
      const to = row?.to ?? LATEST;
      yield { range: { kind: 'answers', after, to }, next: [0, to], payments: 0 };
      after = to;
    }
  },
});

/** What cannot be divided: number series, and uniqueness. */
export const walkSeries = (): Walk => ({
  name: 'series',
  async *pieces(begin = [0, '']) {
    for (let [first] = begin; first < PARTS; first += PARTS_AT_ONCE) {
      const last = first + PARTS_AT_ONCE - 1;
      yield { range: { kind: 'whole', first, last }, next: [last + 1, ''], payments: 0 };
    }
  },
});
