// Writes the part of docs/integrate/events.md that the program itself knows: every event with its fields and an example,
// made of the definitions by which events are sent. `--check` writes nothing and fails when the page says something
// else; another page than that can be named.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { definitions } from '../src/events/definitions.ts';
import type { Definition } from '../src/events/making.ts';
import { exampleOf } from '../src/events/examples.ts';

type Schema = {
  readonly title?: string;
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly format?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
};

const PAGE = join(import.meta.dirname, '..', 'docs', 'integrate', 'events.md');
const BEGIN = '<!-- Made by scripts/events-page.ts: change the definitions in src/events, not this. -->';
const END = '<!-- Here ends what was made. -->';

const row = (...cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
const table = (header: readonly string[], rows: readonly (readonly string[])[]): string =>
  [row(...header), row(...header.map(() => '---')), ...rows.map((cells) => row(...cells))].join('\n');

const anchorOf = (heading: string): string => heading.toLowerCase().replaceAll(/[^a-z\d]/g, '');
const linkTo = (heading: string): string => `[${heading}](#${anchorOf(heading)})`;

function typeOf(schema: Schema): string {
  if (schema.type === 'array') return `list of ${typeOf(schema.items ?? {})}`;
  if (schema.title !== undefined) return linkTo(schema.title);
  if (schema.enum !== undefined) return schema.enum.map((word) => `\`${word}\``).join(', ');
  if (schema.format === 'date-time') return 'timestamp';
  return schema.type === 'integer' ? 'whole number' : (schema.type ?? 'anything');
}

function fieldsOf({ properties = {}, required = [] }: Schema): string {
  const rows = Object.entries(properties).map(([name, field]) => [
    `\`${name}\``,
    typeOf(field),
    required.includes(name) ? 'yes' : '',
    field.description ?? '',
  ]);
  return table(['Field', 'Type', 'Always', 'Meaning'], rows);
}

const showEvent = ({ name, summary, schema }: Definition): string =>
  [`### ${name}`, summary, fieldsOf(schema), `\`\`\`json\n${JSON.stringify(exampleOf(name), null, 2)}\n\`\`\``].join(
    '\n\n',
  );

/** The schemas with a name, each once, in the order in which a reader comes upon them. */
function partsIn(schema: Schema, found = new Map<string, Schema>()): Map<string, Schema> {
  if (schema.title !== undefined) found.set(schema.title, schema);
  if (schema.items) partsIn(schema.items, found);
  for (const field of Object.values(schema.properties ?? {})) partsIn(field, found);
  return found;
}

function write(): string {
  const parts = new Map(definitions.flatMap(({ schema }) => [...partsIn(schema as Schema)]));
  return [
    BEGIN,
    table(
      ['Name', 'Told when'],
      definitions.map(({ name, summary }) => [linkTo(name), summary]),
    ),
    ...definitions.map(showEvent),
    '## Parts of the bodies',
    'What the fields above are made of. The names are those of the schemas in `/openapi.json`.',
    ...Array.from(parts, ([title, schema]) =>
      [`### ${title}`, schema.description ?? '', fieldsOf(schema)].join('\n\n'),
    ),
    END,
  ].join('\n\n');
}

const { values, positionals } = parseArgs({ options: { check: { type: 'boolean' } }, allowPositionals: true });
const path = positionals[0] ?? PAGE;
const page = await readFile(path, 'utf8');
const [from, to] = [page.indexOf(BEGIN), page.indexOf(END)];
if (from < 0 || to < from) throw new Error(`${path} has no place for the events: ${BEGIN} … ${END}`);
const next = page.slice(0, from) + write() + page.slice(to + END.length);
if (values.check !== true) await writeFile(path, next);
else if (next !== page) {
  console.error(`${path} is older than the definitions of the events: run node scripts/events-page.ts`);
  process.exitCode = 1;
}
