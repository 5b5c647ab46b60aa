// `kassa acquirer add|list|remove`: remote acquirers, by the name that merchants and movements refer to.
import {
  isAcquirerName,
  LONGEST_ACQUIRER_URL,
  plainUrlOf,
  putAcquirer,
  removeAcquirer,
  tryAcquirer,
} from '../../merchants/acquirers.ts';
import type { PutAcquirer } from '../../merchants/acquirers.ts';
import { listAcquirers } from '../../store/merchants/acquirers.ts';
import { readAcquirerKey } from './acquirer-key.ts';
import { print, remark } from '../../ops/print.ts';
import { UserError } from '../../ops/user-error.ts';
import { countOf, JSON_OPTION, printJson, printTable } from '../terminal/command.ts';
import type { Command, Options } from '../terminal/command.ts';
import { withDatabase, withMigratedDatabase } from '../../start/database.ts';
import { whoAsks } from './who.ts';

const EXAMPLE_URL = 'http://localhost:8090';

function readUrl({ url }: Options): string {
  if (typeof url !== 'string') throw new UserError(`--url is missing, for example --url ${EXAMPLE_URL}.`);
  const plain = plainUrlOf(url);
  if (plain === undefined) {
    // Most people leave out the scheme. Never repeat what could contain a password.
    const meant = /^[\w.-]+(:\d+)?(\/[\w./-]*)?$/.test(url) ? plainUrlOf(`http://${url}`) : undefined;
    if (meant) throw new UserError(`--url is ${url}; did you mean http://${url}?`);
    throw new UserError(`--url must be a plain http or https address, for example ${EXAMPLE_URL}.`);
  }
  if (plain.length > LONGEST_ACQUIRER_URL)
    throw new UserError(`--url must have at most ${LONGEST_ACQUIRER_URL} characters.`);
  return plain;
}

function readKey({ key }: Options): string {
  if (typeof key !== 'string') throw new UserError('--key is missing: the key for requests to the acquirer.');
  return readAcquirerKey(key);
}

const describeMove = (name: string, before: string | undefined, url: string): string =>
  before === undefined || before === url
    ? `The acquirer ${name} is at ${url}.`
    : `The acquirer ${name} was at ${before} and is now at ${url}.`;

function explainPending(
  { count, before }: Extract<PutAcquirer, { kind: 'movements_pending' }>,
  { name, url }: { readonly name: string; readonly url: string },
): UserError {
  const [are, them] = count === 1 ? ['is', 'it'] : ['are', 'them'];
  return new UserError(
    `${countOf(count, 'movement')} at ${name} ${are} pending, and only ${before} knows the outcome of ${them}. ` +
      `If the same acquirer, with the same book, has moved to ${url}, use --force.`,
  );
}

export const addAcquirerCommand: Command = {
  usage: 'NAME --url URL --key KEY [--force] [--json]',
  more: [
    'NAME has 1 to 32 lowercase letters, digits and dashes, and starts with a letter. An acquirer that does not respond or',
    'refuses the key is added all the same, with a warning. Its address cannot change while movements are pending there.',
    'kassa bank starts one to try out. kassa merchant update MERCHANT --acquirer NAME makes a merchant use it.',
  ].join('\n'),
  positionals: ['NAME'],
  options: {
    url: { type: 'string', value: 'URL', what: 'Its address.' },
    key: { type: 'string', value: 'KEY', what: 'The key for requests to it; kassa bank prints its own.' },
    force: {
      type: 'boolean',
      what: 'Change its address although movements are pending: it has the same book at the new one.',
    },
    json: JSON_OPTION,
  },
  run: ({ config, options, positionals }) => {
    const name = positionals[0] ?? '';
    if (!isAcquirerName(name))
      throw new UserError(
        'NAME must have 1 to 32 lowercase letters, digits and dashes, start with a letter, and not be simulator.',
      );
    const access = { name, url: readUrl(options), key: readKey(options) };
    return withMigratedDatabase(config, async (pool) => {
      const outcome = await putAcquirer(pool, whoAsks(), access, { force: options['force'] === true });
      if (outcome.kind === 'movements_pending') throw explainPending(outcome, access);
      if (options['json']) printJson({ name, url: access.url, before: outcome.before ?? null });
      else print(describeMove(name, outcome.before, access.url));
      const trouble = await tryAcquirer(access, config.acquirerTimeoutMs);
      if (trouble !== undefined) remark(`Warning: it does not work at the moment: ${trouble}.`);
      return 0;
    });
  },
};

export const listAcquirersCommand: Command = {
  usage: '[--json]',
  options: { json: JSON_OPTION },
  run: ({ config, options }) =>
    withDatabase(config, async (pool) => {
      const acquirers = await listAcquirers(pool);
      if (options['json']) printJson(acquirers);
      else if (acquirers.length === 0) remark('No acquirers found. kassa acquirer add creates one.');
      else
        printTable(
          ['NAME', 'MERCHANTS', 'URL'],
          acquirers.map(({ name, merchants, url }) => [name, String(merchants), url]),
        );
      return 0;
    }),
};

export const removeAcquirerCommand: Command = {
  usage: 'NAME [--json]',
  more: 'An acquirer that has moved money cannot be removed: it is needed for refunds and reconciliation.',
  positionals: ['NAME'],
  options: { json: JSON_OPTION },
  run: ({ config, options, positionals }) => {
    const name = positionals[0] ?? '';
    return withDatabase(config, async (pool) => {
      switch (await removeAcquirer(pool, whoAsks(), name)) {
        case 'missing':
          throw new UserError(`There is no acquirer ${name}. kassa acquirer list shows all.`);
        case 'has_merchants':
          throw new UserError(
            `Merchants use ${name}: kassa merchant list shows them. Switch them to another acquirer first.`,
          );
        case 'has_movements':
          throw new UserError(`${name} has moved money: it is needed for refunds and reconciliation.`);
        case 'removed':
          if (options['json']) printJson({ name, removed: true });
          else print(`Removed the acquirer ${name}.`);
      }
      return 0;
    });
  },
};
