// Handles the requests of the test kit: starting and stopping Kassas, merchants, banks. Each JSON line is answered by a
// JSON line; requests may run concurrently. It exits when idle, and cleans up.
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { UserError } from '../ops/user-error.ts';
import type { Databases } from './databases.ts';
import { startInstance } from './instance.ts';
import type { Instance, MerchantWish } from './instance.ts';

// More of them would ask one Postgres for more connections than it has.
const MOST_INSTANCES = 25;
// Long enough for the next file of a suite to begin.
const IDLE_MS = 10_000;

type Asked = { readonly id?: unknown; readonly do?: unknown; readonly kassa?: unknown; readonly with?: unknown };
type Settings = Readonly<Record<string, string>>;

export type Host = {
  readonly databases: Databases;
  readonly input: Readable;
  /** Whatever else ends it. */
  readonly until: Promise<unknown>;
  readonly answer: (line: object) => void;
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function readSettings(value: unknown = {}): Settings {
  if (!isObject(value) || Object.values(value).some((text) => typeof text !== 'string'))
    throw new UserError('settings must be an object of texts.');
  return value as Settings;
}

function readWish(value: unknown = {}): MerchantWish {
  if (!isObject(value)) throw new UserError('a merchant must be an object.');
  const { name, dialect = 'spec', ...flags } = value;
  if (name !== undefined && typeof name !== 'string') throw new UserError('name must be a text.');
  if (dialect !== 'spec' && dialect !== 'nexi') throw new UserError('dialect must be spec or nexi.');
  for (const [flag, on] of Object.entries(flags))
    if (!['strictItems', 'reserveOnDemand', 'atBank'].includes(flag) || typeof on !== 'boolean')
      throw new UserError(`${flag} is no setting of a merchant, or not true or false.`);
  return { ...flags, dialect, ...(name !== undefined && { name }) };
}

/** Answers until the input ends, or for so long as anything runs. */
export async function host({ databases, input, until, answer }: Host): Promise<void> {
  const instances = new Map<number, Instance>();
  const working = new Set<Promise<void>>();
  let count = 0;
  const find = (kassa: unknown): Instance => {
    const instance = instances.get(Number(kassa));
    if (instance === undefined) throw new UserError('there is no such Kassa, or it was stopped.');
    return instance;
  };
  const start = async (settings: unknown): Promise<object> => {
    if (instances.size >= MOST_INSTANCES)
      throw new UserError(`${MOST_INSTANCES} Kassas run already; stop one of them.`);
    const instance = await startInstance(databases, readSettings(settings));
    count += 1;
    instances.set(count, instance);
    const { url, databaseUrl, databaseMs, serviceMs } = instance;
    return { kassa: count, url, databaseUrl, databaseMs, serviceMs };
  };
  const stop = async (kassa: unknown): Promise<object> => {
    const instance = find(kassa);
    instances.delete(Number(kassa));
    await instance.stop();
    return {};
  };
  const work = async (asked: Asked): Promise<object> => {
    switch (asked.do) {
      case 'start':
        return start(asked.with);
      case 'stop':
        return stop(asked.kassa);
      case 'merchant':
        return find(asked.kassa).createMerchant(readWish(asked.with));
      case 'bank':
        return find(asked.kassa).openBank();
      case 'log':
        return { text: find(asked.kassa).log() };
      default:
        throw new UserError('do must be start, stop, merchant, bank or log.');
    }
  };
  const take = async (line: string): Promise<void> => {
    let id: unknown;
    try {
      const asked = JSON.parse(line) as unknown;
      if (!isObject(asked)) throw new UserError('a line must be a JSON object.');
      ({ id } = asked);
      answer({ id, ...(await work(asked)) });
    } catch (error) {
      answer({ id, error: error instanceof Error ? error.message : String(error) });
    }
  };
  const lines = createInterface({ input });
  let idle: ReturnType<typeof setTimeout> | undefined;
  const rest = (): void => {
    clearTimeout(idle);
    if (working.size === 0 && instances.size === 0) idle = setTimeout(() => lines.close(), IDLE_MS);
  };
  lines.on('line', (line) => {
    clearTimeout(idle);
    const one = take(line).finally(() => {
      working.delete(one);
      rest();
    });
    working.add(one);
  });
  rest();
  const closed = new Promise<void>((resolve) => void lines.once('close', resolve));
  await Promise.race([closed, until]);
  lines.close();
  clearTimeout(idle);
  await Promise.allSettled(working);
  await Promise.allSettled([...instances.values()].map((instance) => instance.stop()));
}
