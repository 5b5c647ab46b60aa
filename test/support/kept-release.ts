// What a release has left behind (npm run release:keep): its rows, its answers, and the statements that it sends. A
// database is made as it left it, and its statements are sent once more.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import pg from 'pg';
import { root } from '../../proof/program.ts';
import { writeRows } from '../../scripts/release/rows.ts';
import type { KeptRequest, KeptShop, Known } from '../../scripts/release/shop-life.ts';
import { migrate } from '../../src/store/schema/migrate.ts';
import { readMigrations } from '../../src/store/schema/migration-files.ts';
import { openPool } from '../../src/store/connections/pool.ts';
import { createEmptyDatabase } from './empty-database.ts';

const FOLDER = join(root, 'test', 'fixtures', 'releases');

export type KeptRelease = {
  readonly folder: string;
  readonly name: string;
  readonly version: string;
  readonly commit: string;
  readonly schema: number;
  readonly publicUrl: string;
  readonly keptAt: number;
  readonly shops: readonly (KeptShop & { readonly known: Known })[];
  readonly people: readonly string[];
  /** What it was asked and has answered until then, and what when it went on. */
  readonly asked: readonly KeptRequest[];
  readonly askedLater: readonly KeptRequest[];
};

const readIn = (folder: string, file: string): string => readFileSync(join(folder, file), 'utf8');

const readLines = (folder: string, file: string): string[] => readIn(folder, file).trimEnd().split('\n');

const readAsked = (folder: string, file: string): KeptRequest[] =>
  readLines(folder, file).map((line) => JSON.parse(line) as KeptRequest);

export const readKeptRelease = (folder: string): KeptRelease => ({
  ...(JSON.parse(readIn(folder, 'release.json')) as Omit<KeptRelease, 'folder' | 'name' | 'asked' | 'askedLater'>),
  folder,
  name: basename(folder),
  asked: readAsked(folder, 'asked.jsonl'),
  askedLater: readAsked(folder, 'asked-later.jsonl'),
});

export const readKeptReleases = (): KeptRelease[] =>
  (existsSync(FOLDER) ? readdirSync(FOLDER) : []).toSorted().map((name) => readKeptRelease(join(FOLDER, name)));

export const readKeptRows = ({ folder }: KeptRelease): string => readIn(folder, 'rows.jsonl');

/** A database as the release left it. Its tables are made by the files that it had, which are the same today. */
export async function restoreKept(release: KeptRelease): Promise<string> {
  const url = await createEmptyDatabase();
  const pool = openPool(url, { size: 1 });
  await migrate(
    pool,
    readMigrations().filter(({ number }) => number <= release.schema),
  );
  await writeRows(pool, readKeptRows(release));
  await pool.close();
  return url;
}

type Line = { text?: string; client?: number; statement?: number; rows?: number | null; values?: unknown[] };

export type Replayed = { readonly text: string; readonly rowsThen: number | null; readonly rowsNow: number | null };

/** What JSON could not say as it is. */
function read(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(read);
  const { hex } = (value ?? {}) as { hex?: unknown };
  return typeof hex === 'string' ? Buffer.from(hex, 'hex') : value;
}

/** Sends what the release sent when it went on, on as many connections; throws what the database refuses. */
export async function replayStatements({ folder }: KeptRelease, url: string): Promise<Replayed[]> {
  const texts: string[] = [];
  const clients = new Map<number, pg.Client>();
  const replayed: Replayed[] = [];
  const clientOf = async (number: number): Promise<pg.Client> => {
    const open = clients.get(number) ?? new pg.Client({ connectionString: url });
    if (!clients.has(number)) await open.connect();
    clients.set(number, open);
    return open;
  };
  try {
    for (const line of readLines(folder, 'statements.jsonl')) {
      const { text, client, statement, rows: rowsThen = null, values } = JSON.parse(line) as Line;
      if (text !== undefined) texts.push(text);
      else {
        const asked = texts[statement as number] as string;
        const given = values?.map(read);
        const sender = await clientOf(client as number);
        const { rowCount } = await (given ? sender.query(asked, given) : sender.query(asked)).catch(
          (error: unknown) => {
            throw new Error(`the database refused: ${asked}`, { cause: error });
          },
        );
        replayed.push({ text: asked, rowsThen, rowsNow: rowCount ?? null });
      }
    }
    return replayed;
  } finally {
    await Promise.all([...clients.values()].map((client) => client.end()));
  }
}
