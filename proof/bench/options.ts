// What can be asked of the bench on the command line.
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { BadOption } from '../by-hand.ts';
import { ACT_NAMES, ACTS } from './fair/act-names.ts';
import type { ActName } from './fair/act-names.ts';
import { RATES_OPERATIONS, readRates, STANDARD_CONNECTIONS, STANDARD_RATES } from './rates/rates-options.ts';
import type { RatesOptions } from './rates/rates-options.ts';
import { BULK, FAIR, RATES, SCENARIO_NAMES } from './scenarios.ts';
import type { ScenarioName } from './scenarios.ts';

export type FairOptions = {
  /** Acts that are done at once, one set after the other. */
  readonly acts: readonly (readonly ActName[])[];
  /** The checkout that is started; undefined: this one. */
  readonly root: string | undefined;
  readonly seconds: number;
};

const PEERS = ['medusa'] as const;
export type Peer = (typeof PEERS)[number];

export type Options = {
  readonly connections: number;
  readonly seconds: number;
  readonly only: readonly ScenarioName[];
  /** Undefined unless it was named. */
  readonly fair: FairOptions | undefined;
  /** Undefined unless it was named. */
  readonly bulk: Pick<FairOptions, 'root' | 'seconds'> | undefined;
  /** Undefined unless it was named. */
  readonly rates: RatesOptions | undefined;
  /** Whose payment module is measured beside Kassa, instead of scenarios. */
  readonly peer: Peer | undefined;
  readonly json: boolean;
  /** Files to write: the service's log, its CPU profile. */
  readonly log: string | undefined;
  readonly profile: string | undefined;
};

const MOST_CONNECTIONS = 10_000;
const MOST_SECONDS = 600;
const SECONDS = '5';
// Enough for a p99 of a moderate load.
const FAIR_SECONDS = '20';
const RATES_SECONDS = '10';
const EACH = 'each';

export const HELP = `Measures how much a Kassa bears on this machine, beside what the machine itself gives: the same rows
written by pgbench one transaction at a time, and a bare route that answers the same bytes.

Usage: npm run bench -- [options]

Options:
  --connections N   Connections to the service, and to Postgres for the floors (64).
  --seconds N       Measured seconds of each scenario, and as long for its floor (5).
  --only NAME,NAME  Some scenarios only: ${SCENARIO_NAMES.join(', ')},
                    ${FAIR}, ${BULK}, ${RATES}.
  --peer medusa     Create, read, charge, refund and cancel beside Medusa's payment module, which npm fetches into a
                    temporary folder; instead of scenarios, unless --only names some.
  --json            Print one JSON object instead of a table.
  --log FILE        Keep the service's log; by default it goes nowhere.
  --profile FOLDER  Write a CPU profile of the service there.
  --help            Show this.

Of fair and of bulk, which run only when they are named, for 20 s unless --seconds says otherwise:
  --acts NAME,NAME  What the hostile merchant does; all of it by default, or each: one after the other.
  --kassa FOLDER    The checkout whose Kassa is started, to compare two versions; this one by default.
${ACT_NAMES.map((name) => `    ${name.padEnd(12)} ${ACTS[name]}`).join('\n')}

Of rates, which runs only when it is named: requests by a schedule, whether or not those before are answered, 10 s for each
rate unless --seconds says otherwise, on ${STANDARD_CONNECTIONS} connections at most unless --connections does:
  --rates N,N       Requests a second, or with an x of what it bears (${STANDARD_RATES}).
  --of NAME,NAME    What is requested: ${RATES_OPERATIONS.join(', ')}; all by default.
  --svg FILE        Write a picture of it there.

It starts a service with a Postgres of its own in a temporary folder (TMPDIR says where) and removes both.`;

function readNumber(name: string, text: string, most: number): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < 1 || value > most)
    throw new BadOption(`--${name} is ${text}; it must be a whole number from 1 to ${most}.`);
  return value;
}

function readNames<Name extends string>(option: string, text: string, known: readonly Name[]): Name[] {
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !known.some((each) => each === name));
  if (unknown !== undefined) throw new BadOption(`--${option}: there is no ${unknown}; there are ${known.join(', ')}.`);
  return known.filter((name) => names.includes(name));
}

const NAMES = [...SCENARIO_NAMES, FAIR, BULK, RATES] as const;

const isScenario = (name: (typeof NAMES)[number]): name is ScenarioName => SCENARIO_NAMES.some((each) => each === name);

function readActs(text: string | undefined): FairOptions['acts'] {
  if (text === undefined) return [ACT_NAMES];
  return text === EACH ? ACT_NAMES.map((name) => [name]) : [readNames('acts', text, ACT_NAMES)];
}

function readRatesOptions(values: ReturnType<typeof parse>['values'], seconds: number): RatesOptions {
  const rates = readRates(values.rates ?? STANDARD_RATES);
  if (rates === undefined)
    throw new BadOption(
      `--rates is ${values.rates}; it must be numbers such as 500, or shares of the most such as 0.5x.`,
    );
  return {
    rates,
    of: values.of === undefined ? RATES_OPERATIONS : readNames('of', values.of, RATES_OPERATIONS),
    seconds,
    connections: readNumber('connections', values.connections ?? STANDARD_CONNECTIONS, MOST_CONNECTIONS),
    svg: values.svg,
  };
}

/** The options, or undefined when help was asked for. */
export function readOptions(args: readonly string[]): Options | undefined {
  const { values } = parse(args);
  if (values.help) return undefined;
  const peer = values.peer === undefined ? undefined : readNames('peer', values.peer, PEERS)[0];
  const unnamed = peer === undefined ? SCENARIO_NAMES : [];
  const only = values.only === undefined ? unnamed : readNames('only', values.only, NAMES);
  const root = values.kassa === undefined ? undefined : resolve(values.kassa);
  const secondsOr = (standard: string): number => readNumber('seconds', values.seconds ?? standard, MOST_SECONDS);
  return {
    connections: readNumber('connections', values.connections ?? '64', MOST_CONNECTIONS),
    seconds: secondsOr(SECONDS),
    only: only.filter(isScenario),
    fair: only.some((name) => name === FAIR)
      ? {
          acts: readActs(values.acts),
          root,
          seconds: secondsOr(FAIR_SECONDS),
        }
      : undefined,
    bulk: only.some((name) => name === BULK) ? { root, seconds: secondsOr(FAIR_SECONDS) } : undefined,
    rates: only.some((name) => name === RATES) ? readRatesOptions(values, secondsOr(RATES_SECONDS)) : undefined,
    peer,
    json: values.json ?? false,
    log: values.log,
    profile: values.profile,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        connections: { type: 'string' },
        seconds: { type: 'string' },
        only: { type: 'string' },
        acts: { type: 'string' },
        peer: { type: 'string' },
        rates: { type: 'string' },
        of: { type: 'string' },
        svg: { type: 'string' },
        kassa: { type: 'string' },
        json: { type: 'boolean' },
        log: { type: 'string' },
        profile: { type: 'string' },
        help: { type: 'boolean' },
      },
    });
  } catch (error) {
    throw new BadOption(`${(error as Error).message.split('. ')[0]}. npm run bench -- --help tells more.`);
  }
}
