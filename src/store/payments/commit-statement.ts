// Which statement writes a group of changes. commit.sql is what writes any; each of its parts costs Postgres a little even
// when it is given nothing, together a third of a millisecond. So what most groups are, creates alone or changes without
// carts, acts and subscriptions, has a statement of its own: the same text without the parts that they have nothing for.
import type { Statement } from '../connections/pool.ts';
import { readStatement } from '../statements/statement.ts';

/** What each has nothing for. */
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
 * What stands for a part that is left out, where others ask for its rows. Of an empty list Postgres expects as much as of a
 * full one, so the others are planned as they are in the whole statement.
 */
const noRows = (columns: string): string => `  select * from json_to_recordset('[]') as none (${columns})`;
const NO_ROWS = new Map([
  ['renewing', noRows('part smallint, payment_id uuid')],
  ['created', noRows('part smallint, id uuid')],
  ['altered', noRows('part smallint, id uuid')],
  ['replaced', noRows('payment_part smallint, payment_id uuid')],
]);

const NOTHING = '[]';

/** A statement, and the places of its parameters among those of the whole one, from 0 on. */
type CommitStatement = { readonly statement: Statement; readonly places: readonly number[] };

const WHOLE = readStatement('commit');

function readParts(text: string): { readonly parts: ReadonlyMap<string, string>; readonly end: string } {
  const parts = new Map<string, string>();
  for (const [, name = '', body = ''] of text.matchAll(/^(?:with )?(\w+) as \(\n(.*?)\n\)/gms)) parts.set(name, body);
  // What is spelled in another way would be left out of every group.
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

/** The least statement that writes all of it, and what it takes. */
export function commitOf(values: readonly string[]): { readonly statement: Statement; readonly values: string[] } {
  const plain = PLAIN.find(({ places }) => values.every((value, place) => value === NOTHING || places.includes(place)));
  if (plain === undefined) return { statement: WHOLE, values: [...values] };
  return { statement: plain.statement, values: plain.places.map((place) => values[place] as string) };
}
