// `npm run release:keep`: what a release leaves behind for the tests of later ones, in test/fixtures/releases/VERSION, or
// in the folder that --out names. A Kassa of this checkout serves two shops; its rows, its answers and the statements that
// it sends to its database are kept as text. test/release/upgrade.test.ts brings them to the newest schema.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { print, runByHand, unlessAborted } from '../../proof/by-hand.ts';
import { launch, mainOf, root, SERVICE_READY, whenReady } from '../../proof/program.ts';
import type { Program } from '../../proof/program.ts';
import { startEmbeddedDatabase } from '../../src/database/embedded.ts';
import { openPool } from '../../src/store/connections/pool.ts';
import type { Pool } from '../../src/store/connections/pool.ts';
import { Client } from '../../test/support/client.ts';
import { until } from '../../test/support/kassa.ts';
import { openReceiver } from '../../test/support/receiver.ts';
import { condense } from './condense-statements.ts';
import { migrationsIn, readRows } from './rows.ts';
import { DEAD_END, ShopLife } from './shop-life.ts';
import type { KeptRequest, KeptShop } from './shop-life.ts';

const MOST_BYTES = 400_000;
const PUBLIC_URL = 'https://kassa.example';
// A payment's own hook has nobody at its end from the start.
const UNDELIVERED = `
  select 1 from events where position is null
  union all select 1 from lanes where next_try_at is not null and subscriber not like 'hook%'`;
const NOT_FAILING = 'select 1 from webhooks where failing_since is null';

const { values } = parseArgs({ options: { out: { type: 'string' } } });
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();
const main = mainOf();

/** The database of both shops, what their Kassas are started with, and where the statements are written. */
type Ground = { readonly pool: Pool; readonly env: Readonly<Record<string, string>>; readonly recorded: string };

async function kassa({ env }: Ground, ...words: string[]): Promise<unknown> {
  const { code, out, err } = await launch([...words, '--json'], { command: [process.execPath, main], env }).ended;
  if (code !== 0) throw new Error(`kassa ${words.join(' ')}: ${err}`);
  return JSON.parse(out);
}

type Serving = { readonly program: Program; readonly url: string };

async function serve({ env, recorded }: Ground, flags: readonly string[], more: object): Promise<Serving> {
  const settings = { ...env, PORT: '0', RECORD_STATEMENTS: recorded, KASSA_LOG_LEVEL: 'warn', ...more };
  // Detached: no Ctrl-C of the terminal reaches it.
  const program = launch(['serve'], { command: [process.execPath, ...flags, main], env: settings, detached: true });
  return { program, url: `http://127.0.0.1:${await whenReady(program, SERVICE_READY)}` };
}

async function openShop(ground: Ground, url: string, dialect: string, receiver: string): Promise<KeptShop> {
  type Made = { merchantId: number; secretKey: string; checkoutKey: string };
  const made = (await kassa(ground, 'merchant', 'create', '--name', `Kept ${dialect}`, '--dialect', dialect)) as Made;
  const client = new Client(url, made.secretKey);
  const { webhookId } = await client.must(201, 'POST', '/v1/webhooks', { url: receiver });
  const { merchantId, secretKey, checkoutKey } = made;
  return { merchantId, secretKey, checkoutKey, webhookId };
}

type Kept = {
  readonly rows: string;
  readonly keptAt: number;
  readonly people: readonly string[];
  /** What was asked and answered until then. */
  readonly asked: readonly KeptRequest[];
  readonly lives: readonly ShopLife[];
};

const readAll = async (lives: readonly ShopLife[]): Promise<KeptRequest[]> => {
  const answers: KeptRequest[] = [];
  for (const life of lives) answers.push(...(await life.read()));
  return answers;
};

async function addPeople(ground: Ground, lives: readonly ShopLife[]): Promise<string[]> {
  const people: string[] = [];
  for (const { keys } of lives) {
    const email = `ada-${keys.merchantId}@shop.example`;
    await kassa(ground, 'user', 'create', '--email', email, '--merchant', String(keys.merchantId), '--role', 'admin');
    people.push(email);
  }
  return people;
}

/** The first process delivers, and works off bulks; in the end nobody takes its events any more. */
async function liveFirst(ground: Ground): Promise<Kept> {
  const { pool } = ground;
  const receiver = await openReceiver();
  const { program, url } = await serve(ground, [], {});
  const lives: ShopLife[] = [];
  for (const [shop, dialect] of ['spec', 'nexi'].entries())
    lives.push(new ShopLife(url, shop, await openShop(ground, url, dialect, receiver.url)));
  for (const life of lives) await life.makeFew();
  await lives[0]?.makePayments();
  await lives[0]?.subscribe();
  await until('all events to be delivered', async () => (await pool.query(UNDELIVERED)).length === 0);
  for (const { keys } of lives) {
    const client = new Client(url, keys.secretKey);
    await client.must(204, 'PUT', `/v1/webhooks/${keys.webhookId}`, { url: DEAD_END });
  }
  for (const life of lives) await life.moveWithKeys('untold');
  await until('all webhooks to fail', async () => (await pool.query(NOT_FAILING)).length === 0);
  const people = await addPeople(ground, lives);
  await kassa(ground, 'key', 'create', String(lives[0]?.keys.merchantId));
  const answers = await readAll(lives);
  const requests = lives.flatMap((life) => life.requests.splice(0));
  await program.end('SIGTERM');
  await receiver.close();
  return { rows: await readRows(pool), keptAt: Date.now(), people, asked: [...answers, ...requests], lives };
}

/** Lends a process that delivers nothing, with whom the first shop speaks. */
async function withAnother(
  ground: Ground,
  life: ShopLife,
  flags: readonly string[],
  use: () => Promise<void>,
): Promise<void> {
  const { program, url } = await serve(ground, flags, { KASSA_DELIVERIES: 'off' });
  life.moveTo(url);
  await use();
  const { code, err } = await program.end('SIGTERM');
  if (code !== 0) throw new Error(`the service ended with ${code}: ${err}`);
}

/** The first shop goes on, with a process of which all that it asks its database is recorded. */
async function liveOn(ground: Ground, [life]: readonly ShopLife[]): Promise<readonly KeptRequest[]> {
  if (life === undefined) throw new Error('there is no shop');
  const recorder = join(import.meta.dirname, 'record-statements.ts');
  await withAnother(ground, life, ['--import', recorder], () => life.goOn());
  const asked: KeptRequest[] = [...life.requests];
  // Its reads are not worth a record.
  await withAnother(ground, life, [], async () => void asked.push(...(await life.read())));
  return asked;
}

type Lived = Kept & { readonly askedLater: readonly KeptRequest[]; readonly statements: string };

async function live(): Promise<Lived> {
  const database = await startEmbeddedDatabase({ dataDir: join(tmpdir(), 'database') });
  const pool = openPool(database.url, { size: 2 });
  const recorded = join(tmpdir(), 'statements.jsonl');
  const env = {
    DATABASE_URL: database.url,
    KASSA_DATA_DIR: join(tmpdir(), 'data'),
    KASSA_PUBLIC_URL: PUBLIC_URL,
    // The receiver is here.
    KASSA_PRIVATE_HOOKS: 'on',
  };
  const ground = { pool, env, recorded };
  const first = await liveFirst(ground);
  const askedLater = await liveOn(ground, first.lives);
  await pool.close();
  await database.stop();
  return { ...first, askedLater, statements: condense(readFileSync(recorded, 'utf8')) };
}

/** Writes it to the fixtures, and returns how many bytes it is. */
function keep({ rows, keptAt, people, asked, askedLater, lives, statements }: Lived): number {
  const schema = migrationsIn(rows).at(-1)?.number;
  const folder = values.out ?? join(root, 'test', 'fixtures', 'releases', version);
  mkdirSync(folder, { recursive: true });
  const shops = lives.map(({ keys, known }) => ({ ...keys, known }));
  const release = { version, commit, schema, keptAt, publicUrl: PUBLIC_URL, people, shops };
  // What has not changed is not kept twice.
  const lines = asked.map((one) => JSON.stringify(one));
  const later = askedLater.map((one) => JSON.stringify(one)).filter((line) => !lines.includes(line));
  const files = {
    'release.json': `${JSON.stringify(release, null, 2)}\n`,
    'asked.jsonl': `${lines.join('\n')}\n`,
    'asked-later.jsonl': `${later.join('\n')}\n`,
    'rows.jsonl': rows,
    'statements.jsonl': statements,
  };
  let bytes = 0;
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(folder, name), text);
    bytes += statSync(join(folder, name)).size;
    print(`${String(statSync(join(folder, name)).size).padStart(8)}  ${name}`);
  }
  return bytes;
}

await runByHand('keep', async (signal) => {
  const bytes = keep(await unlessAborted(signal, live()));
  if (bytes > MOST_BYTES) throw new Error(`${bytes} bytes are kept, at most ${MOST_BYTES} may be.`);
  return 0;
});
