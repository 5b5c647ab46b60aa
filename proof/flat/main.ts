// `npm run flat`: whether a Kassa with millions of payments is as quick as one with ten thousand, in one run: its start,
// its lists and searches, the check of its books, and its requests a second.
import { mkdtemp } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { removeDataFolder } from '../bench/setup.ts';
import { BadOption, print, runByHand } from '../by-hand.ts';
import { Closing } from '../chaos/closing.ts';
import { command, fill, openFilled } from './filled.ts';
import type { Filled, Telling } from './filled.ts';
import { compareRates } from './rates.ts';
import { compareReadings } from './lists.ts';
import { listsTable, ratesTable, retentionTable, startsTable, verifyTable } from './report.ts';
import type { Table, Verified } from './report.ts';
import { forget } from './retention.ts';

const FEW = 10_000;
const PARTS = ['start', 'lists', 'verify', 'rates', 'retention'] as const;
type Part = (typeof PARTS)[number];

const HELP = `Whether a Kassa with many payments is as quick as one with ${FEW}, in one run: a database of each is filled by
kassa load-sample, and the shop with most of the payments is looked at. Exit code 1 where a promise is not kept.

Usage: npm run flat -- [options]

Options:
  --payments N      How many are many (1000000). Ten million need about 50 GB.
  --only NAME,NAME  Some of it only: ${PARTS.join(', ')}.
  --data FOLDER     Where the large database is kept, to be used again; by default all are temporary.
  --rounds N        How often each list is read, of which the median counts (15).
  --seconds N       Measured seconds of each kind of request (10).
  --connections N   Connections to the service (64).
  --help            Show this.

start      Seconds from the command to the first answer, Postgres and all: less than 2, or twice of that with ${FEW}.
lists      Of the console and of the API: at most 3 times, and no plan comes upon more than ten times of what is shown.
verify     The check of all books: nothing found, and payments a second at least 0.5 times.
rates      Requests a second at least 0.8 times, the p99 at most 1.5 times.
retention  Events that are over, forgotten in a second: at least 0.5 times. In the end, and for ten seconds.`;

const startedAt = performance.now();
const tell = (text: string): void =>
  void process.stderr.write(`${((performance.now() - startedAt) / 1_000).toFixed(0).padStart(5)} s  ${text}\n`);

function readNumber(name: string, text: string, most: number): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < 1 || value > most)
    throw new BadOption(`--${name} is ${text}; it must be a whole number from 1 to ${most}.`);
  return value;
}

function readParts(text: string): readonly Part[] {
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !PARTS.some((part) => part === name));
  if (unknown !== undefined) throw new BadOption(`--only: there is no ${unknown}; there are ${PARTS.join(', ')}.`);
  return PARTS.filter((part) => names.includes(part));
}

function readOptions() {
  const { values } = parseArgs({
    options: {
      payments: { type: 'string', default: '1000000' },
      only: { type: 'string', default: PARTS.join() },
      data: { type: 'string' },
      rounds: { type: 'string', default: '15' },
      seconds: { type: 'string', default: '10' },
      connections: { type: 'string', default: '64' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return undefined;
  return {
    payments: readNumber('payments', values.payments, 100_000_000),
    only: readParts(values.only),
    data: values.data === undefined ? undefined : resolve(values.data),
    rounds: readNumber('rounds', values.rounds, 1_000),
    seconds: readNumber('seconds', values.seconds, 600),
    connections: readNumber('connections', values.connections, 10_000),
  };
}

type Asked = NonNullable<ReturnType<typeof readOptions>>;

type Place = { readonly payments: number; readonly data: string | undefined };

async function open({ payments, data }: Place, closing: Closing, telling: Telling): Promise<Filled> {
  const dataDir =
    data === undefined ? await mkdtemp(join(tmpdir(), 'kassa-flat-')) : join(data, `${payments}-payments`);
  if (data === undefined) closing.add(() => removeDataFolder(dataDir));
  telling.onProgress(`${payments} payments: filling ${dataDir}`);
  await fill(dataDir, payments, telling);
  const filled = await openFilled(dataDir, payments, telling.signal);
  closing.add(() => filled.setup.close());
  return filled;
}

async function verify({ dataDir, payments }: Filled, telling: Telling): Promise<Verified> {
  const beganAt = performance.now();
  const { code } = await command(dataDir, ['verify', '--json'], telling);
  return { payments, code, seconds: (performance.now() - beganAt) / 1_000 };
}

async function compare(asked: Asked, telling: Telling, closing: Closing): Promise<number> {
  const few = await open({ payments: FEW, data: undefined }, closing, telling);
  const many = await open(asked, closing, telling);
  const broken: string[] = [];
  const show = ({ text, beyond }: Table): void => {
    print(`\n${text}`);
    broken.push(...beyond);
  };
  const is = (part: Part): boolean => asked.only.includes(part);
  print(
    `${few.payments} and ${many.payments} payments, Node ${process.versions.node}, ${availableParallelism()} cores`,
  );
  if (is('start')) show(startsTable([few, many]));
  if (is('lists')) show(listsTable(await compareReadings(few.shop, many.shop, asked.rounds, telling), [few, many]));
  // Before requests: what they are made on is copied, and no books of a shop.
  if (is('verify')) show(verifyTable([await verify(few, telling), await verify(many, telling)]));
  if (is('rates')) show(ratesTable(await compareRates(few, many, asked, telling), [few, many]));
  if (is('retention')) show(retentionTable([await forget(few, telling), await forget(many, telling)]));
  print(broken.length === 0 ? '\nAll is as promised.' : `\nBeyond what is promised: ${broken.join(', ')}`);
  return broken.length === 0 ? 0 : 1;
}

await runByHand('flat', async (signal) => {
  const asked = readOptions();
  if (asked === undefined) {
    print(HELP);
    return 0;
  }
  const closing = new Closing();
  try {
    return await compare(asked, { signal, onProgress: tell }, closing);
  } finally {
    await closing.run();
  }
});
