// The migration files, and what each declares: whether it runs outside a transaction (`-- online`), and the oldest
// program that can run on the schema after it (`-- runs with 1`).
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

const FOLDER = new URL('migrations/', import.meta.url);

export type Migration = { readonly number: number; readonly name: string; readonly text: string };

export function readMigrations(): Migration[] {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.sql'));
  return files.toSorted().map((file) => {
    const [, number, name] = /^(\d{3})-(.+)\.sql$/.exec(file) ?? [];
    if (number === undefined || name === undefined) throw new Error(`${file} is not named like 001-first-schema.sql`);
    return { number: Number(number), name, text: readFileSync(new URL(file, FOLDER), 'utf8') };
  });
}

export const checksumOf = ({ text }: Migration): string => createHash('sha256').update(text).digest('hex');

export const isOnline = ({ text }: Migration): boolean => text.startsWith('-- online\n');

/** The statements of a file that runs outside a transaction; each ends with a semicolon at the end of a line. */
export const statementsOf = ({ text }: Migration): string[] =>
  text
    .replaceAll(/^--.*$/gm, '')
    .split(/;\s*$/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');

/**
 * The oldest program that can run on the schema after this migration: the previous one, unless the file says otherwise.
 * An online migration changes nothing that a program sees, so it needs no more than the file before it.
 */
export function runsWith(migration: Migration, migrations: readonly Migration[]): number {
  const { number, text } = migration;
  const said = /^-- runs with (\d+)$/m.exec(text)?.[1];
  if (said !== undefined) return Number(said);
  const before = isOnline(migration) ? migrations.find((other) => other.number === number - 1) : undefined;
  return before ? runsWith(before, migrations) : Math.max(0, number - 1);
}
