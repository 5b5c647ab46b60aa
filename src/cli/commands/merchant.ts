// `kassa merchant create|list|show|update|disable|enable`.
import type { DialectName, Merchant } from '../../domain/merchant.ts';
import { changeMerchant, createMerchantWithKey, isMerchantName, LONGEST_NAME } from '../../merchants/merchants.ts';
import { disableMerchant, enableMerchant } from '../../merchants/merchants.ts';
import type { KeyFault, Misfit } from '../../merchants/merchants.ts';
import { readCheckoutKey, readSecretKey } from '../../domain/key.ts';
import { readRefundProof, showRefundProof } from '../../domain/refund-proof.ts';
import type { RefundProof } from '../../domain/refund-proof.ts';
import { canIssueInvoices } from '../../domain/seller.ts';
import type { Seller } from '../../domain/seller.ts';
import { BRANDING_OPTIONS, readBranding } from './merchant-branding.ts';
import { explainSellerFaults, readSeller, SELLER_OPTIONS } from './merchant-seller.ts';
import { listMerchants, MOST_PARTS } from '../../store/merchants/merchants.ts';
import type { MerchantSettings } from '../../store/merchants/merchants.ts';
import { isoTime } from '../../domain/time.ts';
import { print, remark } from '../../ops/print.ts';
import { UserError } from '../../ops/user-error.ts';
import { JSON_OPTION, printFields, printJson, printTable } from '../terminal/command.ts';
import type { Command, Option, Options } from '../terminal/command.ts';
import { readSecrets } from '../terminal/secret-source.ts';
import { withDatabase, withMigratedDatabase } from '../../start/database.ts';
import { noMerchant, readMerchantId, requireMerchant } from './which-merchant.ts';
import { whoAsks } from './who.ts';

const SETTINGS: Readonly<Record<string, Option>> = {
  name: { type: 'string', value: 'NAME', what: 'Display name.' },
  dialect: {
    type: 'string',
    value: 'spec|nexi',
    what: 'API dialect: the specification (default), or Nexi.',
  },
  'strict-items': { type: 'boolean', what: 'Refuse items that are not left in the order.' },
  acquirer: {
    type: 'string',
    value: 'NAME',
    what: 'Acquirer: simulator (default), or one of kassa acquirer list.',
  },
  'reserve-on-demand': {
    type: 'boolean',
    what: 'Charge and cancel without a checkout; only for test merchants with the simulator.',
  },
  'second-factor': {
    type: 'boolean',
    what: 'Require a passkey or a code at the console, not only a link. Default for live merchants.',
  },
  'refund-proof': {
    type: 'string',
    value: 'AMOUNTS',
    what: 'Refunds above these need confirmation at the console: "5000 SEK, 500 EUR"; "" for none.',
  },
};

const show = (merchant: Merchant) => ({
  merchantId: merchant.id,
  name: merchant.name,
  mode: merchant.live ? 'live' : 'test',
  state: merchant.disabledAt === undefined ? 'enabled' : 'disabled',
  dialect: merchant.dialect,
  strictItems: merchant.strictItems,
  reserveOnDemand: merchant.reserveOnDemand,
  secondFactor: merchant.secondFactor,
  // A live merchant has none: it is stored with the simulator, which moves no money.
  acquirer: merchant.live ? null : merchant.acquirer,
  ...(merchant.refundProof && { refundProof: showRefundProof(merchant.refundProof) }),
  checkoutKey: merchant.checkoutKey,
  ...(merchant.colour !== undefined && { colour: merchant.colour }),
  ...(merchant.logo !== undefined && { logo: `sha256:${merchant.logo}` }),
  ...(merchant.seller && { seller: merchant.seller }),
  offersInvoices: canIssueInvoices(merchant),
  parts: merchant.parts.length,
  created: isoTime(merchant.createdAt),
  ...(merchant.disabledAt !== undefined && { disabledAt: isoTime(merchant.disabledAt) }),
});

const NO_ACQUIRER = 'none';

/** With the field names of the JSON; nested fields as `seller.city`. */
const inWords = <Shown extends { readonly acquirer: string | null; readonly seller?: Seller }>({
  seller = {},
  ...shown
}: Shown): object => ({
  ...shown,
  acquirer: shown.acquirer ?? NO_ACQUIRER,
  ...Object.fromEntries(Object.entries(seller).map(([field, text]) => [`seller.${field}`, text])),
});

const WITHOUT_ACQUIRER = [
  'A live merchant has no acquirer yet: Kassa does not include one for real money. Its payments can be created and read,',
  'but not paid. docs/operate/acquirers.md describes how to add one; until then, use a test merchant.',
].join('\n');

const WITHOUT_SELLER =
  'It offers no invoices until kassa merchant update has set the seller and a bank account: docs/operate/invoices.md.';

function readName(options: Options): string | undefined {
  const name = options['name'];
  if (name === undefined) return undefined;
  if (typeof name !== 'string' || !isMerchantName(name))
    throw new UserError(`--name must be one line of 1 to ${LONGEST_NAME} characters.`);
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

function readProof({ 'refund-proof': text }: Options): RefundProof | undefined {
  if (typeof text !== 'string') return undefined;
  const limits = readRefundProof(text);
  if (limits === undefined)
    throw new UserError(`--refund-proof is ${text}; it must be amounts such as "5000 SEK, 500 EUR", one per currency.`);
  return limits;
}

function readSettings(options: Options): Partial<MerchantSettings> {
  const [name, dialect] = [readName(options), readDialect(options)];
  const strictItems = options['strict-items'] as boolean | undefined;
  const reserveOnDemand = options['reserve-on-demand'] as boolean | undefined;
  const secondFactor = options['second-factor'] as boolean | undefined;
  const acquirer = options['acquirer'] as string | undefined;
  const refundProof = readProof(options);
  return {
    ...(name !== undefined && { name }),
    ...(dialect !== undefined && { dialect }),
    ...(strictItems !== undefined && { strictItems }),
    ...(reserveOnDemand !== undefined && { reserveOnDemand }),
    ...(secondFactor !== undefined && { secondFactor }),
    ...(acquirer !== undefined && { acquirer }),
    ...(refundProof && { refundProof }),
  };
}

function explainMisfit(why: Misfit, acquirer: string | undefined): UserError {
  switch (why) {
    case 'live_reserves_on_demand':
      return new UserError('--reserve-on-demand is only for test merchants.');
    case 'live_at_simulated_bank':
      return new UserError('A live merchant cannot use a simulated bank.');
    case 'reserves_on_demand_elsewhere':
      return new UserError('--reserve-on-demand only works with the simulator.');
    case 'no_such_acquirer':
      return new UserError(`There is no acquirer ${acquirer}. kassa acquirer list shows all.`);
    case 'live_loses_seller':
      return new UserError('A live merchant that offers invoices needs this value; replace it instead of using none.');
  }
}

/** Never repeats a key: it may be the secret one. */
function explainKeyFault({ key, fault }: KeyFault, live: boolean): UserError {
  const option = `--${key}-key`;
  const prefixes = `test-${key}-key- or live-${key}-key-`;
  switch (fault) {
    case 'is_none':
      return new UserError(`${option} must contain one key: 32 hex digits, optionally prefixed with ${prefixes}.`);
    case 'is_of_other_mode':
      return live
        ? new UserError(`${option} contains a test key; leave out --live.`)
        : new UserError(`${option} contains a live key; add --live.`);
    case 'is_in_use':
      return new UserError(`${option} contains a key that is already in use, or was before it was revoked.`);
    case 'is_the_other_key':
      return new UserError('--checkout-key contains the secret key, but every consumer can read the checkout key.');
  }
}

/** The sources of the merchant's existing keys. */
function readKeySources(options: Options): Record<'secret-key' | 'checkout-key', string | undefined> {
  const sources = {
    'secret-key': options['secret-key'] as string | undefined,
    'checkout-key': options['checkout-key'] as string | undefined,
  };
  for (const [name, source = ''] of Object.entries(sources))
    if (readSecretKey(source) ?? readCheckoutKey(source))
      throw new UserError(
        `--${name} takes the name of a file that contains the key, or - for standard input: everyone on this machine can ` +
          'see a key in the arguments.',
      );
  return sources;
}

export const createMerchantCommand: Command = {
  usage: '--name NAME [OPTIONS]',
  options: {
    ...SETTINGS,
    live: { type: 'boolean', what: 'A live merchant, permanently; it has no acquirer yet. Default: a test merchant.' },
    parts: {
      type: 'string',
      value: 'COUNT',
      what: `Parts of the 4,096 to spread a very large merchant over, permanently: 1 (default) to ${MOST_PARTS}.`,
    },
    'secret-key': {
      type: 'string',
      value: 'FILE',
      what: "The shop's existing secret key, in a file; - for a line of standard input.",
    },
    'checkout-key': { type: 'string', value: 'FILE', what: 'Its existing checkout key, likewise.' },
    json: JSON_OPTION,
  },
  run: async ({ config, options }) => {
    const { name, ...settings } = readSettings(options);
    const live = options['live'] === true;
    if (name === undefined)
      throw new UserError('--name is missing, for example: kassa merchant create --name "My shop"');
    const parts = readParts(options);
    const keys = await readSecrets(readKeySources(options));
    const brought = { secretKey: keys['secret-key'], checkoutKey: keys['checkout-key'] };
    return withMigratedDatabase(config, async (pool) => {
      const made = await createMerchantWithKey(pool, whoAsks(), { ...settings, name, live, parts }, brought);
      if (made.kind === 'refused') throw explainMisfit(made.why, settings.acquirer);
      if (made.kind === 'bad_key') throw explainKeyFault(made, live);
      const isOurs = brought.secretKey === undefined;
      const { checkoutKey, ...fields } = show(made.merchant);
      const shown = { ...fields, ...(isOurs && { secretKey: made.secret }), checkoutKey };
      if (options['json']) printJson(shown);
      else {
        printFields(inWords(shown));
        remark(
          isOurs
            ? 'Save the secret key now: only its hash is stored, and it is not shown again.'
            : 'It uses the given secret key, of which only a hash is stored.',
        );
      }
      if (live) remark(`${WITHOUT_SELLER}\n${WITHOUT_ACQUIRER}`);
      return 0;
    });
  },
};

export const listMerchantsCommand: Command = {
  usage: '[--json]',
  options: { json: JSON_OPTION },
  run: ({ config, options }) =>
    withDatabase(config, async (pool) => {
      const merchants = (await listMerchants(pool)).map(show);
      if (options['json']) printJson(merchants);
      else if (merchants.length === 0) remark('No merchants found. kassa merchant create creates one.');
      else
        printTable(
          ['MERCHANT', 'MODE', 'STATE', 'DIALECT', 'ACQUIRER', 'NAME'],
          merchants.map(({ merchantId, mode, state, dialect, acquirer, name }) => [
            String(merchantId),
            mode,
            state,
            dialect,
            acquirer ?? NO_ACQUIRER,
            name,
          ]),
        );
      return 0;
    }),
};

export const showMerchantCommand: Command = {
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
  usage: 'MERCHANT [OPTIONS]',
  more: 'Changes only the given settings; --no-strict-items, --no-reserve-on-demand and --no-second-factor turn them off.\nTakes effect in a running service immediately.',
  positionals: ['MERCHANT'],
  options: { ...SETTINGS, ...BRANDING_OPTIONS, ...SELLER_OPTIONS, json: JSON_OPTION },
  run: ({ config, options, positionals }) => {
    const id = readMerchantId(positionals[0]);
    const settings = readSettings(options);
    const look = readBranding(options);
    const seller = readSeller(options);
    if (Object.keys({ ...settings, ...look, ...seller }).length === 0)
      throw new UserError('Nothing to change. kassa help merchant update lists the options.');
    return withDatabase(config, async (pool) => {
      const changed = await changeMerchant(pool, whoAsks(), id, { settings, look, seller });
      if (changed.kind === 'not_found') throw noMerchant(id);
      if (changed.kind === 'refused') throw explainMisfit(changed.why, settings.acquirer);
      if (changed.kind === 'bad_seller') throw explainSellerFaults(changed.faults, seller);
      if (options['json']) printJson(show(changed.merchant));
      else printFields(inWords(show(changed.merchant)));
      return 0;
    });
  },
};

const switchCommand = (enabled: boolean, more: string, say: (merchant: Merchant) => string): Command => ({
  usage: 'MERCHANT [--json]',
  more,
  positionals: ['MERCHANT'],
  options: { json: JSON_OPTION },
  run: ({ config, options, positionals }) => {
    const id = readMerchantId(positionals[0]);
    return withDatabase(config, async (pool) => {
      const changed = await (enabled ? enableMerchant : disableMerchant)(pool, whoAsks(), id);
      if (changed.kind === 'not_found') throw noMerchant(id);
      if (options['json']) printJson(show(changed.merchant));
      else print(say(changed.merchant));
      return 0;
    });
  },
});

export const disableMerchantCommand = switchCommand(
  false,
  [
    'Requests with its keys get 401, and its checkout does not open. Its payments stay as they are, and their events are',
    'still delivered. Takes effect immediately, until kassa merchant enable.',
  ].join('\n'),
  ({ id, name }) =>
    `Disabled merchant ${id}, ${name}: its keys stop working. kassa merchant enable ${id} enables it again.`,
);

export const enableMerchantCommand = switchCommand(
  true,
  'Takes effect immediately; revoked keys stay revoked.',
  ({ id, name }) => `Enabled merchant ${id}, ${name}: its keys work again.`,
);
