// The second floor's side of a scenario: the statements that write the same rows for many payments at once, and the same
// requests as Kassa gets, to the bare service.
import { spellingOfCopies, spellRow, spellUpdate, timeDigits } from './copy.ts';
import type { Spelling } from './copy.ts';
import { kassaSide } from './kassa-side.ts';
import { PATHS } from './requests.ts';
import type { Written } from './samples.ts';
import type { Service } from './service.ts';
import type { Write } from './rows.ts';
import type { Run, Side } from './side.ts';

const NAMES = ['create', 'charge', 'refund', 'cancel'] as const;
export type BareName = (typeof NAMES)[number];

export type BareOperation = {
  readonly name: BareName;
  /** Statements of an array of numbers of copies; a create has nothing to load. */
  readonly load: string | undefined;
  readonly commit: string;
  /** Of the family: whose id is answered. */
  readonly member: number;
  readonly status: 201 | 204;
};

/** By path. */
export type BarePlan = {
  readonly url: string;
  readonly time: string;
  readonly operations: Readonly<Record<string, BareOperation>>;
};

const NUMBERS = 'unnest($1::bigint[]) as n';

export const isBare = (name: string): name is BareName => NAMES.some((each) => each === name);

function writeMany(write: Write, family: readonly string[], as: Spelling): string {
  const { table } = write;
  if (write.kind === 'insert') {
    const [columns, values] = spellRow(table, write.row, family, as);
    return `insert into ${table.name} (${columns}) select ${values} from ${NUMBERS}`;
  }
  const [sets, guards] = spellUpdate(write, family, as);
  return `update ${table.name} set ${sets} from ${NUMBERS} where ${guards}`;
}

/** All writes as one statement, which is a transaction already. */
function commitOf({ writes, family }: Written, as: Spelling): string {
  const parts = writes.map((write) => writeMany(write, family, as));
  const last = parts.pop() as string;
  return parts.length === 0 ? last : `with ${parts.map((part, at) => `w${at} as (${part})`).join(', ')} ${last}`;
}

/** The payment and its movements, in one round trip. */
const loadOf = (as: Spelling): string =>
  `select payments.*, (select json_agg(movements) from movements
     where movements.part = payments.part and movements.payment_id = payments.id)
   from ${NUMBERS} join payments on payments.part = ${as.part} and payments.id = ${as.id(0)}`;

async function startBare(run: Run): Promise<Run> {
  // Beside the copies of the first floor, which lie in the same database.
  const timeMs = run.timeMs + 1;
  const time = timeDigits(timeMs);
  const as = spellingOfCopies(time);
  const operations = NAMES.map((name): [string, BareOperation] => [
    // The id stands between what comes before and after it.
    name === 'create' ? PATHS.create[0] : PATHS[name].join(':id'),
    {
      name,
      load: name === 'create' ? undefined : loadOf(as),
      commit: commitOf(run.samples.writes[name], as),
      member: Math.max(0, run.samples.writes[name].family.length - 1),
      status: name === 'cancel' ? 204 : 201,
    },
  ]);
  const child = run.setup.start(new URL('bare-service.ts', import.meta.url));
  const plan: BarePlan = { url: run.setup.scratchUrl, time, operations: Object.fromEntries(operations) };
  const port = await child.ask<number>(plan);
  const nothing = { cpuSeconds: 0, commits: 0, committed: 0, loads: 0, loaded: 0 };
  const service: Service = { ...run.setup.service, port, usage: () => Promise.resolve(nothing) };
  return { ...run, timeMs, setup: { ...run.setup, service, pool: run.setup.scratch } };
}

const started = new WeakMap<Run['setup'], Promise<Run>>();

/** The bare service is started when it is first needed, once for a run. */
export async function bareSide(run: Run, name: BareName): Promise<Side> {
  const bare = started.get(run.setup) ?? startBare(run);
  started.set(run.setup, bare);
  return kassaSide(await bare, name, () => {});
}
