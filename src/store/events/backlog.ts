// Metrics of pending deliveries: how many there are, and how late. Failing endpoints are counted separately, since they
// are late by their own fault. The cost does not grow with the backlog: counts have a limit, and the oldest delivery of
// each endpoint is found by the index.
import { openSweep } from './lanes.ts';
import type { Endpoint, Look } from './lanes.ts';
import type { Pool } from '../connections/pool.ts';

export type Backlog = {
  /** Lanes with pending deliveries, up to a limit. */
  readonly lanes: number;
  /** How long the oldest deliverable event has been due. */
  readonly oldestSeconds: number;
  /**
   * The same for endpoints that fail, or are new at a merchant with failing ones: they get few slots, and wait for
   * them.
   */
  readonly oldestFailingSeconds: number;
  /** Unpublished events, up to a limit. */
  readonly unpublished: number;
};

type Late = { readonly sound: number; readonly failing: number };

const MOST_COUNTED = 100_000;
/** Endpoints of each merchant per scan, and scans per call: the next call sees the rest. */
const MOST_ENDPOINTS = 1_000;
const MOST_LOOKS = 20;
/** Endpoints that are classified at once, the latest first. */
const PAGE = 500;
const MOST_PAGES = 10;

/** Which of these work or are new, and are not of a merchant whose new endpoints have to wait. */
async function findSound(pool: Pool, endpoints: readonly Endpoint[]): Promise<boolean[]> {
  const wanted = endpoints.map(({ merchantId, endpoint }, n) => ({ n, merchant_id: merchantId, endpoint }));
  const rows = await pool.query<{ is_sound: boolean }>(
    `select coalesce(known.standing = 'proven', (
       select 1 from endpoints as other
       where other.part = merchant.parts[1] and other.merchant_id = merchant.id and other.standing = 'failing'
       limit 1
     ) is null) as is_sound
     from json_to_recordset($1) as wanted (n integer, merchant_id bigint, endpoint text)
     join merchants as merchant on merchant.id = wanted.merchant_id
     left join endpoints as known on known.part = merchant.parts[1] and known.merchant_id = wanted.merchant_id
       and known.endpoint = wanted.endpoint
     order by wanted.n`,
    [JSON.stringify(wanted)],
  );
  return rows.map(({ is_sound: isSound }) => isSound);
}

/** The latest of either kind. */
async function findLatest(pool: Pool, due: Look['due']): Promise<Late> {
  const sorted = due.toSorted((a, b) => b.lateS - a.lateS);
  let late: Late = { sound: 0, failing: 0 };
  for (let from = 0; from < Math.min(sorted.length, PAGE * MOST_PAGES); from += PAGE) {
    const page = sorted.slice(from, from + PAGE);
    const sound = await findSound(pool, page);
    page.forEach(({ lateS }, n) => {
      late = sound[n]
        ? { ...late, sound: Math.max(late.sound, lateS) }
        : { ...late, failing: Math.max(late.failing, lateS) };
    });
    if (late.sound > 0) break;
  }
  return late;
}

const laterOf = (a: Late, b: Late): Late => ({
  sound: Math.max(a.sound, b.sound),
  failing: Math.max(a.failing, b.failing),
});

/** Starts over with each call. If there are very many merchants, each call scans some of them. */
export function watchBacklog(pool: Pool): () => Promise<Backlog> {
  const sweep = openSweep(pool, MOST_ENDPOINTS);
  const none: Late = { sound: 0, failing: 0 };
  let [round, before] = [none, none];

  async function look(): Promise<Late> {
    for (let looks = 0; looks < MOST_LOOKS; looks += 1) {
      const { due, isRoundOver } = await sweep();
      round = laterOf(round, await findLatest(pool, due));
      if (!isRoundOver) continue;
      before = round;
      round = none;
      return before;
    }
    return laterOf(before, round);
  }

  return async () => {
    const late = await look();
    const [counted] = await pool.query<{ lanes: number; unpublished: number }>(
      `select
         (select count(*)::int from (
           select 1 from lanes where next_try_at is not null limit ${MOST_COUNTED}
         ) as counted) as lanes,
         (select count(*)::int from (
           select 1 from events where position is null limit ${MOST_COUNTED}
         ) as counted) as unpublished`,
    );
    return {
      lanes: counted?.lanes ?? 0,
      oldestSeconds: late.sound,
      oldestFailingSeconds: late.failing,
      unpublished: counted?.unpublished ?? 0,
    };
  };
}
