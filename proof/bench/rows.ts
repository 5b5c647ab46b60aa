// The rows that Kassa itself wrote for a payment, read back as texts. Two readings, before and after an operation, tell
// what the operation writes; so the floors write the same rows by construction, whatever the schema becomes.
import type { Pool, TextRow } from '../../src/store/connections/pool.ts';

export type Row = Readonly<Record<string, string | null>>;
export type Table = {
  readonly name: string;
  /** Types by column, in the table's own order. */
  readonly types: Readonly<Record<string, string>>;
  readonly key: readonly string[];
};
export type Rows = ReadonlyMap<Table, readonly Row[]>;

export type Write =
  | { readonly kind: 'insert'; readonly table: Table; readonly row: Row }
  | { readonly kind: 'update'; readonly table: Table; readonly before: Row; readonly changed: Row };

const PAYMENTS = 'payments';
// Every other table refers to payments, and events and refunds may refer to movements.
const FIRST_TABLES = [PAYMENTS, 'movements'];
// Written after the answer, by whoever writes the log: no request waits for it, so no floor does.
const OFF_THE_PATH = 'request_log';

const COLUMNS = `select table_name, column_name, data_type from information_schema.columns
  where table_schema = 'public' order by table_name, ordinal_position`;
const KEYS = `select index.indrelid::regclass::text, attribute.attname
  from pg_index as index
  join pg_attribute as attribute on attribute.attrelid = index.indrelid and attribute.attnum = any (index.indkey)
  where index.indisprimary and index.indrelid::regclass::text !~ '\\.'
  order by 1, attribute.attnum`;

/** The tables that hold rows of a payment: payments, and whatever names a payment. */
export async function readTables(pool: Pool): Promise<Table[]> {
  const columns = await pool.run({ name: 'bench_columns', text: COLUMNS }, []);
  const keys = await pool.run({ name: 'bench_keys', text: KEYS }, []);
  const tables = Map.groupBy(columns, ([table]) => table as string);
  return [...tables]
    .map(([name, rows]) => ({
      name,
      types: Object.fromEntries(rows.map(([, column, type]) => [column as string, type as string])),
      key: keys.filter(([table]) => table === name).map(([, column]) => column as string),
    }))
    .filter(({ name, types }) => name === PAYMENTS || (name !== OFF_THE_PATH && ownerOf(types) !== undefined))
    .toSorted((a, b) => rankOf(a) - rankOf(b));
}

/** The column that names the payment. */
const ownerOf = (types: Table['types']): string | undefined =>
  ['payment_id', 'subject_id'].find((column) => column in types);

const rankOf = ({ name }: Table): number => {
  const rank = FIRST_TABLES.indexOf(name);
  return rank === -1 ? FIRST_TABLES.length : rank;
};

export async function readRows(pool: Pool, tables: readonly Table[], paymentId: string): Promise<Rows> {
  const rows = new Map<Table, Row[]>();
  for (const table of tables) {
    const { name, types, key } = table;
    const owner = name === PAYMENTS ? 'id' : ownerOf(types);
    const order = 'sequence' in types ? 'sequence' : key.join(', ');
    const text = `select ${Object.keys(types).join(', ')} from ${name} where ${owner} = $1 order by ${order}`;
    const found = await pool.run({ name: `bench_rows_${name}`, text }, [paymentId]);
    rows.set(
      table,
      found.map((row: TextRow) =>
        Object.fromEntries(Object.keys(types).map((column, index) => [column, row[index] ?? null])),
      ),
    );
  }
  return rows;
}

const keyOf = (table: Table, row: Row): string => table.key.map((column) => row[column]).join();

/** What was written between two readings. */
export function writesBetween(before: Rows | undefined, after: Rows): Write[] {
  return [...after].flatMap(([table, rows]) => {
    const known = new Map((before?.get(table) ?? []).map((row) => [keyOf(table, row), row]));
    return rows.flatMap((row): Write[] => {
      const earlier = known.get(keyOf(table, row));
      if (earlier === undefined) return [{ kind: 'insert', table, row }];
      const changed = Object.entries(row).filter(([column, value]) => earlier[column] !== value);
      if (changed.length === 0) return [];
      return [{ kind: 'update', table, before: earlier, changed: Object.fromEntries(changed) }];
    });
  });
}

/** The payment's id and those of its movements in their order: the family whose ids a copy has to make anew. */
export function familyOf(rows: Rows): string[] {
  return [...rows].flatMap(([table, found]) =>
    FIRST_TABLES.includes(table.name) ? found.map((row) => row['id'] as string) : [],
  );
}
