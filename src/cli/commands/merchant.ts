// `kassa merchant create|list|show|update`.
import type { DialectName, Merchant } from '../../domain/merchant.ts';
import { findAcquirer } from '../../store/acquirers.ts';
import {
  createKey,
  createMerchant,
  findMerchant,
  listMerchants,
  MOST_PARTS,
  SIMULATOR,
} from '../../store/merchants.ts';
import { updateMerchant } from '../../store/merchants.ts';
import type { MerchantSettings } from '../../store/merchants.ts';
import type { Pool } from '../../store/pool.ts';
import { remark } from '../../ops/print.ts';
import { UserError } from '../../ops/user-error.ts';
import { JSON_OPTION, printFields, printJson, printTable } from '../terminal/command.ts';
import type { Command, Option, Options } from '../terminal/command.ts';
import { withDatabase, withMigratedDatabase } from '../../start/database.ts';

const LONGEST_NAME = 128;

const SETTINGS: Readonly<Record<string, Option>> = {
  name: { type: 'string', value: 'NAME', what: 'What people call it.' },
  dialect: {
    type: 'string',
    value: 'spec|nexi',
    what: 'How answers are spelled: the specification (default), or Nexi.',
  },
  'strict-items': { type: 'boolean', what: 'Refuse items that the order does not have any more.' },
  acquirer: {
    type: 'string',
    value: 'NAME',
    what: 'Who holds the money: simulator (default), or a name of acquirer list.',
  },
  'reserve-on-demand': {
    type: 'boolean',
    what: 'Charge and cancel without a checkout; test merchants of the simulator only.',
  },
};

const show = (merchant: Merchant) => ({
  merchantId: merchant.id,
  name: merchant.name,
  mode: merchant.live ? 'live' : 'test',
  dialect: merchant.dialect,
  strictItems: merchant.strictItems,
  reserveOnDemand: merchant.reserveOnDemand,
  // A live one has none: the simulator, by whose name it is kept, moves no money.
  acquirer: merchant.live ? null : merchant.acquirer,
  checkoutKey: merchant.checkoutKey,
  parts: merchant.parts.length,
  created: new Date(merchant.createdAt).toISOString(),
});

const NO_ACQUIRER = 'none';

const inWords = <Shown extends { readonly acquirer: string | null }>(shown: Shown): object => ({
  ...shown,
  acquirer: shown.acquirer ?? NO_ACQUIRER,
});

const WITHOUT_ACQUIRER = [
  'A live merchant has no acquirer yet: this Kassa knows none for real money. Its payments can be created and read, and',
  'nobody can pay them. docs/operate/acquirers.md tells how one is added; until then, try everything with a test merchant.',
].join('\n');

function readName(options: Options): string | undefined {
  const name = options['name'];
  if (name === undefined) return undefined;
  if (typeof name !== 'string' || name.trim() === '' || name.length > LONGEST_NAME || /\p{Cc}/u.test(name))
    throw new UserError(`--name must have 1 to ${LONGEST_NAME} characters, in one line.`);
  return name;
}

function readDialect(options: Options): DialectName | undefined {
  const { dialect } = options;
  if (dialect !== undefined && dialect !== 'spec' && dialect !== 'nexi')
    throw new UserError(`--dialect is ${String(dialect)}; it must be spec or nexi.`);
  return dialect;
}

function readParts(options: Options): number {
  const { parts = '1' } = options;
  if (typeof parts !== 'string' || !/^\d{1,2}$/.test(parts) || Number(parts) < 1 || Number(parts) > MOST_PARTS)
    throw new UserError(`--parts is ${String(parts)}; it must be a number from 1 to ${MOST_PARTS}.`);
  return Number(parts);
}

function readSettings(options: Options): Partial<MerchantSettings> {
  const [name, dialect] = [readName(options), readDialect(options)];
  const strictItems = options['strict-items'] as boolean | undefined;
  const reserveOnDemand = options['reserve-on-demand'] as boolean | undefined;
  const acquirer = options['acquirer'] as string | undefined;
  return {
    ...(name !== undefined && { name }),
    ...(dialect !== undefined && { dialect }),
    ...(strictItems !== undefined && { strictItems }),
    ...(reserveOnDemand !== undefined && { reserveOnDemand }),
    ...(acquirer !== undefined && { acquirer }),
  };
}

export function readMerchantId(text: string | undefined): number {
  if (text === undefined || !/^\d{9}$/.test(text))
    throw new UserError(`MERCHANT is ${text}; it must be the nine digits that kassa merchant list shows.`);
  return Number(text);
}

/** What the database would refuse as well, in a sentence. */
async function requireFitting(
  pool: Pool,
  live: boolean,
  { reserveOnDemand, acquirer }: Pick<MerchantSettings, 'reserveOnDemand' | 'acquirer'>,
  options: Options,
): Promise<void> {
  if (live && reserveOnDemand) throw new UserError('--reserve-on-demand is for test merchants only.');
  // By whatever name: all that can be named are simulated.
  if (live && options['acquirer'] !== undefined) throw new UserError('A live merchant cannot use a simulated bank.');
  if (acquirer === SIMULATOR) return;
  if (reserveOnDemand) throw new UserError('--reserve-on-demand works with the simulator only.');
  if ((await findAcquirer(pool, acquirer)) === undefined)
    throw new UserError(`There is no acquirer called ${acquirer}. kassa acquirer list shows all.`);
}

export async function requireMerchant(pool: Pool, id: number): Promise<Merchant> {
  const merchant = await findMerchant(pool, id);
  if (merchant === undefined) throw new UserError(`There is no merchant ${id}. kassa merchant list shows all.`);
  return merchant;
}

export const createMerchantCommand: Command = {
  name: 'merchant create',
  summary: 'Make a merchant and its first secret key, which is shown this once.',
  usage: '--name NAME [OPTIONS]',
  options: {
    ...SETTINGS,
    live: { type: 'boolean', what: 'Real money, for good; it has no acquirer yet. Without it a test merchant.' },
    parts: {
      type: 'string',
      value: 'COUNT',
      what: `Spread a very large one over so many of the 4,096 parts, for good: 1 (default) to ${MOST_PARTS}.`,
    },
    json: JSON_OPTION,
  },
  run: ({ config, options }) => {
    const {
      name,
      dialect = 'spec',
      strictItems = false,
      reserveOnDemand = false,
      acquirer = SIMULATOR,
    } = readSettings(options);
    const live = options['live'] === true;
    if (name === undefined)
      throw new UserError('--name is missing, for example: kassa merchant create --name "My shop"');
    return withMigratedDatabase(config, async (pool) => {
      const settings = { name, dialect, strictItems, reserveOnDemand, acquirer };
      await requireFitting(pool, live, settings, options);
      const merchant = await createMerchant(pool, live, settings, readParts(options));
      const { secret } = await createKey(pool, merchant);
      const { checkoutKey, ...fields } = show(merchant);
      const shown = { ...fields, secretKey: secret, checkoutKey };
      if (options['json']) printJson(shown);
      else {
        printFields(inWords(shown));
        remark('Only a hash of the secret key is kept: note it down now.');
      }
      if (live) remark(WITHOUT_ACQUIRER);
      return 0;
    });
  },
};

export const listMerchantsCommand: Command = {
  name: 'merchant list',
  summary: 'List the merchants.',
  usage: '[--json]',
  options: { json: JSON_OPTION },
  run: ({ config, options }) =>
    withDatabase(config, async (pool) => {
      const merchants = (await listMerchants(pool)).map(show);
      if (options['json']) printJson(merchants);
      else if (merchants.length === 0) remark('There are no merchants yet. kassa merchant create makes one.');
      else
        printTable(
          ['MERCHANT', 'MODE', 'DIALECT', 'ACQUIRER', 'NAME'],
          merchants.map(({ merchantId, mode, dialect, acquirer, name }) => [
            String(merchantId),
            mode,
            dialect,
            acquirer ?? NO_ACQUIRER,
            name,
          ]),
        );
      return 0;
    }),
};

export const showMerchantCommand: Command = {
  name: 'merchant show',
  summary: 'Show one merchant and its settings.',
  usage: 'MERCHANT [--json]',
  positionals: ['MERCHANT'],
  options: { json: JSON_OPTION },
  run: ({ config, options, positionals }) => {
    const id = readMerchantId(positionals[0]);
    return withDatabase(config, async (pool) => {
      const merchant = await requireMerchant(pool, id);
      if (options['json']) printJson(show(merchant));
      else printFields(inWords(show(merchant)));
      return 0;
    });
  },
};

export const updateMerchantCommand: Command = {
  name: 'merchant update',
  summary: 'Change the settings of a merchant.',
  usage: 'MERCHANT [OPTIONS]',
  more: 'What is not named stays as it is; --no-strict-items and --no-reserve-on-demand switch off.\nA running service takes it over at once.',
  positionals: ['MERCHANT'],
  options: { ...SETTINGS, json: JSON_OPTION },
  run: ({ config, options, positionals }) => {
    const id = readMerchantId(positionals[0]);
    const settings = readSettings(options);
    if (Object.keys(settings).length === 0)
      throw new UserError('Nothing was given to change. kassa help merchant update lists the options.');
    return withDatabase(config, async (pool) => {
      const merchant = await requireMerchant(pool, id);
      await requireFitting(pool, merchant.live, { ...merchant, ...settings }, options);
      const updated = (await updateMerchant(pool, id, settings)) as Merchant;
      if (options['json']) printJson(show(updated));
      else printFields(inWords(show(updated)));
      return 0;
    });
  },
};
