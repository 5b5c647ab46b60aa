// What can be asked of the bench on the command line.
import { parseArgs } from 'node:util';
import { SCENARIO_NAMES } from './scenarios.ts';
import type { ScenarioName } from './scenarios.ts';

export type Options = {
  readonly connections: number;
  readonly seconds: number;
  readonly only: readonly ScenarioName[];
  readonly json: boolean;
  /** Files to write: the service's log, its CPU profile. */
  readonly log: string | undefined;
  readonly profile: string | undefined;
};

export class BadOption extends Error {
  override readonly name = 'BadOption';
}

const MOST_CONNECTIONS = 1_000;
const MOST_SECONDS = 600;

export const HELP = `Measures how much a Kassa bears on this machine, beside what the machine itself gives: the same rows
written by pgbench one transaction at a time, and a bare route that answers the same bytes.

Usage: npm run bench -- [options]

Options:
  --connections N   Connections to the service, and to Postgres for the floors (64).
  --seconds N       Measured seconds of each scenario, and as long for its floor (5).
  --only NAME,NAME  Some scenarios only: ${SCENARIO_NAMES.join(', ')}.
  --json            Print one JSON object instead of a table.
  --log FILE        Keep the service's log; by default it goes nowhere.
  --profile FOLDER  Write a CPU profile of the service there.
  --help            Show this.

It starts a service with a Postgres of its own in a temporary folder (TMPDIR says where) and removes both.`;

function readNumber(name: string, text: string, most: number): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < 1 || value > most)
    throw new BadOption(`--${name} is ${text}; it must be a whole number from 1 to ${most}.`);
  return value;
}

function readScenarios(text: string | undefined): readonly ScenarioName[] {
  if (text === undefined) return SCENARIO_NAMES;
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !SCENARIO_NAMES.some((known) => known === name));
  if (unknown !== undefined)
    throw new BadOption(`--only: there is no scenario ${unknown}; there are ${SCENARIO_NAMES.join(', ')}.`);
  return SCENARIO_NAMES.filter((name) => names.includes(name));
}

/** The options, or undefined when help was asked for. */
export function readOptions(args: readonly string[]): Options | undefined {
  const { values } = parse(args);
  if (values.help) return undefined;
  return {
    connections: readNumber('connections', values.connections ?? '64', MOST_CONNECTIONS),
    seconds: readNumber('seconds', values.seconds ?? '5', MOST_SECONDS),
    only: readScenarios(values.only),
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
