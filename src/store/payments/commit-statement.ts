// Chooses the statement for a group of changes. commit.sql writes any group, but each of its parts costs Postgres a
// little even when it is empty, together a third of a millisecond. So the most common groups, only creates or only
// changes without carts, audited actions and subscriptions, have statements of their own: the same text without the
// parts they do not use.
import type { Statement } from '../connections/pool.ts';
import { readStatement } from '../statements/statement.ts';

/** The parts that each omits. */
const WITHOUT = {
  creates: [
    'renewing',
    'altered',
    'moved',
    'settled',
    'subscribed',
    'replaced',
    'renewed',
    'acted',
    'changed',
    'recorded',
  ],
  moves: ['keyed', 'renewing', 'created', 'subscribed', 'replaced', 'renewed', 'acted', 'changed'],
};

/**
 * Replaces an omitted part, where others refer to its rows. Postgres estimates an empty list like a full one, so the
 * other parts get the same plan as in the whole statement.
 */
const noRows = (columns: string): string => `  select * from json_to_recordset('[]') as none (${columns})`;
const NO_ROWS = new Map([
  ['renewing', noRows('part smallint, payment_id uuid')],
  ['created', noRows('part smallint, id uuid')],
  ['altered', noRows('part smallint, id uuid')],
  ['replaced', noRows('payment_part smallint, payment_id uuid')],
]);

const NOTHING = '[]';

/** A statement, and the indexes of its parameters among those of the whole one. */
type CommitStatement = { readonly statement: Statement; readonly places: readonly number[] };

const WHOLE = readStatement('commit');

function readParts(text: string): { readonly parts: ReadonlyMap<string, string>; readonly end: string } {
  const parts = new Map<string, string>();
  for (const [, name = '', body = ''] of text.matchAll(/^(?:with )?(\w+) as \(\n(.*?)\n\)/gms)) parts.set(name, body);
  // Otherwise a different spelling would be omitted from every group.
  if (parts.size !== [...text.matchAll(/^(?:with )?\w+ as /gm)].length)
    throw new Error('commit.sql has unreadable parts');
  return { parts, end: text.slice(text.lastIndexOf('\n)\n') + 3) };
}

function commitWithout(kind: keyof typeof WITHOUT): CommitStatement {
  const { parts, end } = readParts(WHOLE.text);
  const unknown = WITHOUT[kind].filter((name) => !parts.has(name));
  if (unknown.length > 0) throw new Error(`commit.sql has no part ${unknown.join(', ')}`);
  const kept = [...parts].flatMap(([name, body]) => {
    const text = WITHOUT[kind].includes(name) ? NO_ROWS.get(name) : body;
    return text === undefined ? [] : [`${name} as (\n${text}\n)`];
  });
  const places: number[] = [];
  const text = `-- Writes a group of ${kind}, as commit.sql would.\nwith ${kept.join(',\n')}\n${end}`.replaceAll(
    /\$(\d+)/g,
    (_, number) => {
      const place = Number(number) - 1;
      if (!places.includes(place)) places.push(place);
      return `$${places.indexOf(place) + 1}`;
    },
  );
  return { statement: { name: `commit_${kind}`, text }, places };
}

const PLAIN = [commitWithout('creates'), commitWithout('moves')];

/** The smallest statement that writes all of it, and its parameters. */
export function commitOf(values: readonly string[]): { readonly statement: Statement; readonly values: string[] } {
  const plain = PLAIN.find(({ places }) => values.every((value, place) => value === NOTHING || places.includes(place)));
  if (plain === undefined) return { statement: WHOLE, values: [...values] };
  return { statement: plain.statement, values: plain.places.map((place) => values[place] as string) };
}
