// `kassa reconcile`: compares our movements at an acquirer with the acquirer's own book. Exit code 1 on a difference, 2
// when they could not be compared.
import { setTimeout as sleep } from 'node:timers/promises';
import { bankAcquirer } from '../../acquirers/bank-client.ts';
import type { RemoteAcquirer } from '../../acquirers/acquirer.ts';
import { showAmount } from '../../domain/currency.ts';
import { BookRepeats, reconcile } from '../../payments/reconcile.ts';
import type { Difference, Period, Reconciled, Side, TheirBook } from '../../payments/reconcile.ts';
import { findAcquirer } from '../../store/merchants/acquirers.ts';
import { keepOutcome } from '../../store/books/reconcile-outcomes.ts';
import { withOwnBook } from '../../store/books/reconciliation.ts';
import type { OwnBook } from '../../store/books/reconciliation.ts';
import { SIMULATOR } from '../../domain/merchant.ts';
import type { Pool } from '../../store/connections/pool.ts';
import { alignRows, print } from '../../ops/print.ts';
import { UserError } from '../../ops/user-error.ts';
import { countOf, JSON_OPTION, printJson } from '../terminal/command.ts';
import type { Command, Options } from '../terminal/command.ts';
import { readTime } from './moment.ts';
import { withDatabase } from '../../start/database.ts';

// More would push the summary off the screen.
const MOST_SHOWN = 100;
// A lookup at an acquirer may have to be retried.
const TRIES = 4;
const PAUSE_MS = 500;
const DAY_MS = 86_400_000;

const isoTime = (ms: number): string => new Date(ms).toISOString();

function readName({ acquirer }: Options): string {
  if (typeof acquirer !== 'string')
    throw new UserError('--acquirer is missing, for example: kassa reconcile --acquirer bank');
  if (acquirer === SIMULATOR)
    throw new UserError('The simulator keeps no book: it runs inside Kassa, and kassa verify checks its movements.');
  return acquirer;
}

function readPeriod(options: Options): Period {
  const [fromMs, toMs] = ['from', 'to'].map((name) => {
    const text = options[name] as string | undefined;
    return text === undefined ? undefined : readTime(text, name);
  });
  if (fromMs !== undefined && toMs !== undefined && fromMs >= toMs) {
    const dayOf = (ms: number): string => isoTime(ms).slice(0, 10);
    const day = `--from ${dayOf(fromMs)} --to ${dayOf(fromMs + DAY_MS)}`;
    throw new UserError(`--from must be earlier than --to; a whole day is ${day}.`);
  }
  return { ...(fromMs !== undefined && { fromMs }), ...(toMs !== undefined && { toMs }) };
}

/** Reports an unavailable acquirer as one sentence. */
function theirBookOf(acquirer: RemoteAcquirer): TheirBook {
  return {
    book: (query) =>
      acquirer.book(query).catch((error: Error) => {
        throw new UserError(error.message);
      }),
    find: async (movementId) => {
      for (let tries = 1; ; tries += 1) {
        const found = await acquirer.find(movementId);
        if (found.result !== 'unknown') return found;
        if (tries === TRIES)
          throw new UserError(`The acquirer ${acquirer.name} does not report the outcome of movement ${movementId}.`);
        await sleep(PAUSE_MS * tries);
      }
    },
  };
}

async function openTheirBook(pool: Pool, name: string, timeoutMs: number): Promise<TheirBook> {
  const access = await findAcquirer(pool, name);
  if (access === undefined) throw new UserError(`There is no acquirer ${name}. kassa acquirer list shows all.`);
  return theirBookOf(bankAcquirer({ ...access, timeoutMs }));
}

type Counts = Readonly<Record<string, number>>;

function countsOf({ differences, ...counts }: Reconciled): Counts {
  const count = (kind: Difference['difference']): number =>
    differences.filter(({ difference }) => difference === kind).length;
  return {
    ...counts,
    onlyHere: count('only_here'),
    onlyThere: count('only_there'),
    twiceThere: count('twice_there'),
    different: count('different'),
  };
}

/** 'onlyHere' → 'only here'. */
const wordsOf = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

function showSide(side: Side | undefined): string {
  if (side === undefined) return '-';
  const { kind, state, amount, currency } = side;
  if (kind === undefined || amount === undefined || currency === undefined) return state;
  return `${kind}, ${showAmount(amount, currency)}, ${state}`;
}

const rowOf = ({ movementId, paymentId = '-', difference, fields, here, there }: Difference): string[] => [
  movementId,
  paymentId,
  difference === 'different' ? `another ${fields?.join(', ')}` : difference.replace('_', ' '),
  showSide(here),
  showSide(there),
];

function show(reconciled: Reconciled, { fromMs, toMs }: Period): void {
  const { differences } = reconciled;
  const counts = countsOf(reconciled);
  print(alignRows(Object.entries(counts).map(([name, count]) => [wordsOf(name), String(count)])));
  if (Object.values(counts).every((count) => count === 0)) {
    const isWhole = fromMs === undefined && toMs === undefined;
    return print(`\nNothing to compare${isWhole ? '' : ' in this period'}.`);
  }
  if (differences.length > 0) {
    const rows = differences.slice(0, MOST_SHOWN).map(rowOf);
    print(`\n${alignRows([['MOVEMENT', 'PAYMENT', 'DIFFERENCE', 'HERE', 'THERE'], ...rows])}`);
    if (differences.length > MOST_SHOWN) print(`… and ${differences.length - MOST_SHOWN} more; --json lists all.`);
  }
  const found = countOf(differences.length, 'difference');
  print(differences.length === 0 ? '\nThe books agree.' : `\nThe books do not agree: ${found}.`);
}

/** An open end is null. */
const publishPeriod = ({ fromMs, toMs }: Period): object => ({
  from: fromMs === undefined ? null : isoTime(fromMs),
  to: toMs === undefined ? null : isoTime(toMs),
});
const publishSide = ({ at, ...side }: Side): object => ({ ...side, ...(at !== undefined && { at: isoTime(at) }) });

const publish = ({ here, there, ...rest }: Difference): object => ({
  ...rest,
  ...(here && { here: publishSide(here) }),
  ...(there && { there: publishSide(there) }),
});

export const reconcileCommand: Command = {
  troubleCode: 2,
  usage: '--acquirer NAME [--from TIME] [--to TIME] [--json]',
  more: [
    'TIME is for example 2026-11-15 (midnight UTC), 2026-11-15T08:00 (UTC) or 2026-11-15T08:00:00+01:00. It changes no',
    'payment and can run beside the service; the console overview shows the result.',
    'Exit code 1 on a difference, 2 when the books could not be compared.',
  ].join('\n'),
  options: {
    acquirer: { type: 'string', value: 'NAME', what: 'The acquirer; kassa acquirer list shows the names.' },
    from: {
      type: 'string',
      value: 'TIME',
      what: 'Only movements created at TIME or later. Default: from the beginning.',
    },
    to: { type: 'string', value: 'TIME', what: 'Only movements created before TIME. Default: until now.' },
    json: JSON_OPTION,
  },
  run: ({ config, options }) => {
    const [acquirer, period] = [readName(options), readPeriod(options)];
    return withDatabase(config, async (pool) => {
      const theirs = await openTheirBook(pool, acquirer, config.acquirerTimeoutMs);
      const compare = (ours: OwnBook): Promise<Reconciled> => reconcile(ours, theirs, period);
      const reconciled = await withOwnBook(pool, { acquirer, ...period }, compare).catch((error: unknown) => {
        if (!(error instanceof BookRepeats)) throw error;
        throw new UserError(`The book of the acquirer ${acquirer} cannot be read: ${error.message}.`);
      });
      const { differences } = reconciled;
      await keepOutcome(pool, acquirer, differences);
      if (options['json'])
        printJson({
          acquirer,
          ...publishPeriod(period),
          ...countsOf(reconciled),
          differences: differences.map(publish),
        });
      else show(reconciled, period);
      return differences.length === 0 ? 0 : 1;
    });
  },
};
