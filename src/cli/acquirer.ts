// `kassa acquirer add|list`: acquirers on other machines, by the name that merchants and movements carry.
import { listAcquirers, putAcquirer } from '../store/acquirers.ts';
import { JSON_OPTION, print, printJson, printTable, remark, UserError } from './command.ts';
import type { Command, Options } from './command.ts';
import { withDatabase, withMigratedDatabase } from './database.ts';

const NAME = /^[a-z][a-z0-9-]{0,31}$/;
const KEY_LENGTHS = [8, 256] as const;

function readUrl({ url }: Options): string {
  const address = typeof url === 'string' && URL.canParse(url) ? new URL(url) : undefined;
  const isPlain = address !== undefined && /^https?:$/.test(address.protocol) && address.search + address.hash === '';
  if (!isPlain || address.username !== '' || address.password !== '')
    throw new UserError('--url must be a plain http or https address, for example http://localhost:8090.');
  return address.href.replace(/\/$/, '');
}

function readKey({ key }: Options): string {
  const [least, most] = KEY_LENGTHS;
  if (typeof key !== 'string' || key.length < least || key.length > most || !/^[\x21-\x7e]+$/.test(key))
    throw new UserError(`--key must have ${least} to ${most} visible ASCII characters.`);
  return key;
}

export const addAcquirerCommand: Command = {
  name: 'acquirer add',
  summary: 'Name an acquirer on another machine, or change its address and key.',
  usage: 'NAME --url URL --key KEY',
  more: 'kassa bank starts one to try. kassa merchant update MERCHANT --acquirer NAME lets a merchant use it.',
  positionals: ['NAME'],
  options: {
    url: { type: 'string', value: 'URL', what: 'Where it is reached.' },
    key: { type: 'string', value: 'KEY', what: 'What it wants to see.' },
  },
  run: ({ config, options, positionals }) => {
    const name = positionals[0] ?? '';
    if (!NAME.test(name) || name === 'simulator')
      throw new UserError('NAME must have 1 to 32 lower-case letters, digits and dashes, and not be simulator.');
    const access = { name, url: readUrl(options), key: readKey(options) };
    return withMigratedDatabase(config, async (pool) => {
      await putAcquirer(pool, access);
      print(`The acquirer ${name} is at ${access.url}.`);
      return 0;
    });
  },
};

export const listAcquirersCommand: Command = {
  name: 'acquirer list',
  summary: 'List the acquirers on other machines, without their keys.',
  usage: '[--json]',
  options: { json: JSON_OPTION },
  run: ({ config, options }) =>
    withDatabase(config, async (pool) => {
      const acquirers = (await listAcquirers(pool)).map(({ name, url }) => ({ name, url }));
      if (options['json']) printJson(acquirers);
      else if (acquirers.length === 0) remark('There are none. kassa acquirer add names one.');
      else
        printTable(
          ['NAME', 'URL'],
          acquirers.map(({ name, url }) => [name, url]),
        );
      return 0;
    }),
};
