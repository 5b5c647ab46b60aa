// What can be asked of chaos on the command line.
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { nearestOf } from '../../src/config/nearest.ts';
import { BadOption } from '../by-hand.ts';
import { PLACES } from './trouble.ts';
import type { Place } from './trouble.ts';

export type Options = {
  readonly seconds: number;
  readonly seed: number;
  readonly clients: number;
  /** So many charges in bulks, instead of everything that clients do. */
  readonly bulk: number | undefined;
  readonly only: readonly Place[];
  /** Where to write the log, whatever comes of the run. */
  readonly log: string | undefined;
};

const MOST_SECONDS = 3_600;
const HIGHEST_SEED = 2 ** 31 - 1;
const MOST_CLIENTS = 200;
const MOST_ENTRIES = 50_000;
// What a bulk is up against by default.
const PLACES_OF_BULK: readonly Place[] = ['kassa'];

export const HELP = `Two Kassas, a Postgres and a bank, a load of payments, and everything that can go wrong between
them. In the end every answer that was given is held against the books. Exit code 1 when anything does not agree.

Usage: npm run chaos -- [options]

Options:
  --seconds N   How long troubles are made (60). Rest and judgement come on top.
  --seed N      Which troubles and which payments; a random one by default, and printed.
  --clients N   Payments at once (24).
  --bulk N      Instead of clients: N charges of as many subscriptions, in bulks of 1,000, with trouble at the
                Kassas while they are worked off, or where --only says.
  --only NAMES  Trouble in some places only: ${PLACES.join(', ')}; everywhere by default.
  --log FILE    Keep the log of every request and answer, also when all is well.
  --help        Show this.

It works in a temporary folder (TMPDIR says where) and on free ports, and removes what it made.`;

function readNumber(name: string, text: string, most: number): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < 1 || value > most)
    throw new BadOption(`--${name} is ${text}; it must be a whole number from 1 to ${most}.`);
  return value;
}

const KNOWN = {
  seconds: { type: 'string' },
  seed: { type: 'string' },
  clients: { type: 'string' },
  bulk: { type: 'string' },
  only: { type: 'string' },
  log: { type: 'string' },
  help: { type: 'boolean' },
} as const;

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: KNOWN });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const typed = code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION' ? /'--([^'=]+)/.exec(message)?.[1] : undefined;
    const meant = typed && nearestOf(typed, Object.keys(KNOWN));
    if (meant) throw new BadOption(`There is no option --${typed}; did you mean --${meant}?`);
    throw new BadOption(`${message.split('. ')[0]}. npm run chaos -- --help tells more.`);
  }
}

function readPlaces(text: string | undefined): readonly Place[] {
  if (text === undefined) return PLACES;
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !PLACES.some((place) => place === name));
  if (unknown !== undefined) throw new BadOption(`--only: there is no ${unknown}; there are ${PLACES.join(', ')}.`);
  return PLACES.filter((place) => names.includes(place));
}

const anySeed = (): number => randomInt(1, 1_000_000);

/** The options, or undefined when help was asked for. */
export function readOptions(args: readonly string[]): Options | undefined {
  const { values } = parse(args);
  if (values.help) return undefined;
  const bulk = values.bulk === undefined ? undefined : readNumber('bulk', values.bulk, MOST_ENTRIES);
  return {
    seconds: readNumber('seconds', values.seconds ?? '60', MOST_SECONDS),
    seed: readNumber('seed', values.seed ?? String(anySeed()), HIGHEST_SEED),
    clients: readNumber('clients', values.clients ?? '24', MOST_CLIENTS),
    bulk,
    only: bulk !== undefined && values.only === undefined ? PLACES_OF_BULK : readPlaces(values.only),
    log: values.log,
  };
}
