// Loaded into a Kassa before its program: writes down every statement that it sends to its database, with its values, in
// the order in which they are sent, to the file that RECORD_STATEMENTS names. So it can be sent again to a later schema,
// when that Kassa cannot be run any more.
import { appendFileSync } from 'node:fs';
import { createRequire } from 'node:module';

type Query = (this: object, config: unknown, values?: unknown, ...rest: unknown[]) => unknown;

const file = process.env['RECORD_STATEMENTS'] as string;
const program = process.argv[1] as string;
const { Client } = createRequire(program)('pg') as { Client: { prototype: { query: Query } } };

const clients = new WeakMap<object, number>();
let [count, sent] = [0, 0];

/** What JSON cannot say as it is. */
const spell = (value: unknown): unknown => {
  if (Buffer.isBuffer(value)) return { hex: value.toString('hex') };
  if (Array.isArray(value)) return value.map(spell);
  return value instanceof Date ? value.toISOString() : value;
};

const note = (line: object): void => appendFileSync(file, `${JSON.stringify(line)}\n`);

const { query } = Client.prototype;
Client.prototype.query = function record(config, values, ...rest) {
  const asked = (typeof config === 'string' ? { text: config } : config) as { text?: string; values?: unknown[] };
  const given = Array.isArray(values) ? (values as unknown[]) : asked.values;
  const outcome = query.call(this, config, values, ...rest);
  if (typeof asked.text !== 'string') return outcome;
  if (!clients.has(this)) clients.set(this, (count += 1));
  const number = (sent += 1);
  note({ number, client: clients.get(this), text: asked.text, ...(given && { values: given.map(spell) }) });
  if (outcome instanceof Promise)
    outcome.then(
      (result: { rowCount?: number | null }) => note({ number, rows: result.rowCount ?? null }),
      () => note({ number, failed: true }),
    );
  return outcome;
};
