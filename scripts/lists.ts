// Measures what the console's lists cost with few payments and with many, in one run: the first page, each search, each
// filter and the overview, each with the rows that its plans read. A Postgres of its own is started, filled twice by
// `load-sample`, and removed again. `npm run lists -- --payments 1000000`; it ends with 1 where a page costs more than
// three times of what it costs with 10,000, or a plan reads more than ten times of what a page shows.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { whoAsks } from '../src/cli/commands/who.ts';
import { startEmbeddedDatabase } from '../src/database/embedded.ts';
import type { Merchant } from '../src/domain/merchant.ts';
import { createMerchantWithKey } from '../src/merchants/merchants.ts';
import { findAttention } from '../src/store/attention.ts';
import { readFigures } from '../src/store/figures/read.ts';
import { listForPeople } from '../src/store/listing/listing.ts';
import type { ListingQuery } from '../src/store/listing/listing.ts';
import { STANDINGS } from '../src/store/listing/row.ts';
import { migrate } from '../src/store/migrate.ts';
import { NO_QUERY_TIMEOUT, openPool } from '../src/store/pool.ts';
import type { Pool } from '../src/store/pool.ts';
import { loadSample } from '../src/store/sample/load.ts';
import { explainReading, LIFETIMES, rowsReadBy, scansOf } from '../test/store/readings.ts';

const { values } = parseArgs({
  options: { payments: { type: 'string', default: '1000000' }, rounds: { type: 'string', default: '15' } },
});
const [few, many] = [10_000, Number(values.payments)];
const rounds = Number(values.rounds);
const PAGE = 50;
const MOST_RATIO = 3;
const MOST_READ = 10 * PAGE;
// What is quicker than this is noise of the machine, whatever it is divided by.
const NOISE_MS = 1;
const DAY_MS = 86_400_000;

type Shop = { readonly pool: Pool; readonly merchant: Merchant; readonly known: Known };
type Known = { readonly id: string; readonly charge: string; readonly refund: string; readonly reference: string };
type Reading = readonly [name: string, read: (shop: Shop, pool: Pool) => Promise<unknown>];

async function fill(url: string, name: string, payments: number): Promise<Shop> {
  const admin = new pg.Client(url);
  await admin.connect();
  await admin.query(`create database ${name}`);
  await admin.end();
  const address = new URL(url);
  address.pathname = `/${name}`;
  const pool = openPool(address.href, { size: 4 });
  await migrate(pool);
  const made = await createMerchantWithKey(pool, whoAsks(), { name: 'Shop' });
  if (made.kind !== 'created') throw new Error(`no merchant was made: ${made.kind}`);
  const { merchant } = made;
  const beganAt = performance.now();
  await loadSample(pool, [{ merchant, payments }], Date.now());
  const seconds = (performance.now() - beganAt) / 1_000;
  console.log(`${payments} payments in ${seconds.toFixed(1)} s: ${Math.round(payments / seconds)} a second`);
  await pool.withClient(async (client) => {
    await client.query('set statement_timeout = 0');
    await client.query({ text: 'vacuum', ...NO_QUERY_TIMEOUT });
  });
  const [known] = await pool.query<Known>(
    `select payments.id, reference, charge.id as charge, refund.id as refund from payments
     join movements as charge on charge.payment_id = payments.id and charge.kind = 'charge'
     join movements as refund on refund.payment_id = payments.id and refund.kind = 'refund'
     order by payments.id limit 1 offset ${Math.floor(payments / 50)}`,
  );
  return { pool, merchant, known: known as Known };
}

const plain = (id: string): string => id.replaceAll('-', '');
const list =
  (query: Partial<ListingQuery> | ((shop: Shop) => Partial<ListingQuery>)): Reading[1] =>
  (shop, pool) => {
    const asked = typeof query === 'function' ? query(shop) : query;
    const whole = { merchantId: shop.merchant.id, limit: PAGE, sort: 'newest', ...asked } as const;
    return listForPeople(pool, whole, Date.now(), LIFETIMES);
  };
const day = { fromMs: Date.now() - 30 * DAY_MS, toMs: Date.now() - 29 * DAY_MS };
const month = { fromMs: Date.now() - 50 * DAY_MS, toMs: Date.now() - 20 * DAY_MS };
const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

const READINGS: readonly Reading[] = [
  ['first page', list({})],
  ['oldest first', list({ sort: 'oldest' })],
  ['largest first', list({ sort: 'largest' })],
  ['smallest first', list({ sort: 'smallest' })],
  ['a page in the middle', list(({ known }) => ({ after: `1-${plain(known.id)}` }))],
  ['search: payment id', list(({ known }) => ({ text: plain(known.id) }))],
  ['search: charge id', list(({ known }) => ({ text: plain(known.charge) }))],
  ['search: refund id', list(({ known }) => ({ text: plain(known.refund) }))],
  ['search: reference', list(({ known }) => ({ text: known.reference }))],
  ['search: e-mail', list({ text: 'ada.1200@example.test' })],
  ['search: phone', list({ text: '+46 70 000 00 07' })],
  ['search: last name', list({ text: 'Lind' })],
  ['search: full name', list({ text: 'Ada Lind' })],
  ['search: last four digits', list({ text: '1234' })],
  ['search: amount', list({ text: '123.00' })],
  ...STANDINGS.map((standing): Reading => [`state: ${standing}`, list({ standing })]),
  ['state: charged, largest first', list({ standing: 'charged', sort: 'largest' })],
  ['method: any card', list({ method: 'CARD' })],
  ['method: Mastercard', list({ method: 'MasterCard' })],
  ['method: that nobody used', list({ method: 'Vipps' })],
  ['currency: SEK', list({ currency: 'SEK' })],
  ['currency: DKK', list({ currency: 'DKK' })],
  ['currency: that nobody used', list({ currency: 'JPY' })],
  ['currency: DKK, largest first', list({ currency: 'DKK', sort: 'largest' })],
  ['amount: 100 to 200', list({ least: '100', most: '200' })],
  ['amount: 1000 to 1010', list({ least: '1000', most: '1010' })],
  ['amount: at least 4000', list({ least: '4000' })],
  ['amount: one', list({ least: '99', most: '99' })],
  ['own reference', list({ myReference: 'none' })],
  ['a day', list(day)],
  ['a day, largest first', list({ ...day, sort: 'largest' })],
  ['an hour, largest first', list({ fromMs: day.fromMs, toMs: day.fromMs + 3_600_000, sort: 'largest' })],
  ['a month, smallest first', list({ ...month, sort: 'smallest' })],
  ['state and method', list({ standing: 'partly refunded', method: 'Visa' })],
  ['state and a month', list({ standing: 'cancelled', ...month })],
  ['state, currency and amount', list({ standing: 'charged', currency: 'EUR', least: '100', most: '500' })],
  ['all filters', list({ standing: 'charged', method: 'Visa', currency: 'NOK', least: '500', most: '600', ...month })],
  [
    'overview: figures of a month',
    ({ merchant }, pool) => readFigures(pool, { merchant, from: dayOf(month.fromMs), to: dayOf(month.toMs) }),
  ],
  ['overview: attention', ({ merchant }, pool) => findAttention(pool, merchant, Date.now(), LIFETIMES.reservationMs)],
];

async function median(read: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  await read();
  for (let round = 0; round < rounds; round += 1) {
    const beganAt = performance.now();
    await read();
    times.push(performance.now() - beganAt);
  }
  return times.toSorted((one, other) => one - other)[Math.floor(rounds / 2)] as number;
}

/** The most rows that a scan of one of its statements came upon. */
async function rowsOf(shop: Shop, [name, read]: Reading): Promise<number> {
  const explained = await explainReading(shop.pool, { name, read: (pool) => read(shop, pool) });
  return Math.max(0, ...explained.flatMap(({ plan }) => scansOf(plan).map(rowsReadBy)));
}

const dataDir = await mkdtemp(join(tmpdir(), 'kassa-lists-'));
const embedded = await startEmbeddedDatabase({ dataDir });
const shops: Shop[] = [];
try {
  shops.push(await fill(embedded.url, 'few', few), await fill(embedded.url, 'many', many));
  const [small, large] = shops as [Shop, Shop];
  console.log(`\n| List | ms with ${few} | ms with ${many} | Ratio | Rows read |\n| --- | --- | --- | --- | --- |`);
  const beyond: string[] = [];
  for (const reading of READINGS) {
    const [name, read] = reading;
    const [before, after] = [await median(() => read(small, small.pool)), await median(() => read(large, large.pool))];
    const rows = await rowsOf(large, reading);
    const ratio = after / before;
    const isSlow = ratio > MOST_RATIO && after - before > NOISE_MS;
    // The overview shows sums and counts: of each day, and of what needs attention up to a thousand.
    if (isSlow || (rows > MOST_READ && !name.startsWith('overview'))) beyond.push(name);
    console.log(`| ${name} | ${before.toFixed(1)} | ${after.toFixed(1)} | ${ratio.toFixed(1)} | ${rows} |`);
  }
  if (beyond.length > 0) console.log(`\nBeyond what is promised: ${beyond.join(', ')}`);
  process.exitCode = beyond.length > 0 ? 1 : 0;
} finally {
  for (const { pool } of shops) await pool.close();
  await embedded.stop();
  await rm(dataDir, { recursive: true, force: true });
}
