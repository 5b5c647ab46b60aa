// `kassa key create|list|revoke`: a merchant can have several valid keys, so that they can be rotated without a gap.
import { createKey, findMerchant, listKeys, revokeKey } from '../store/merchants.ts';
import type { SecretKey } from '../store/merchants.ts';
import { JSON_OPTION, print, printJson, printTable, UserError } from './command.ts';
import type { Command } from './command.ts';
import { withDatabase } from './database.ts';
import { readMerchantId } from './merchant.ts';

const show = ({ id, merchantId, hint, createdAt, revokedAt }: SecretKey) => ({
  keyId: id,
  merchantId,
  endsWith: hint,
  created: new Date(createdAt).toISOString(),
  ...(revokedAt !== undefined && { revoked: new Date(revokedAt).toISOString() }),
});

export const createKeyCommand: Command = {
  name: 'key create',
  summary: 'Makes another secret key for a merchant; it is shown this once.',
  usage: 'MERCHANT [--json]',
  positionals: ['MERCHANT'],
  options: { json: JSON_OPTION },
  run: ({ config, options, positionals }) => {
    const id = readMerchantId(positionals[0]);
    return withDatabase(config, async (pool) => {
      const merchant = await findMerchant(pool, id);
      if (merchant === undefined) throw new UserError(`There is no merchant ${id}. kassa merchant list shows all.`);
      const { key, secret } = await createKey(pool, merchant);
      if (options['json']) printJson({ ...show(key), secretKey: secret });
      else print(`${secret}\n\nIts id is ${key.id}. The key is kept as a hash only: note it down now.`);
      return 0;
    });
  },
};

export const listKeysCommand: Command = {
  name: 'key list',
  summary: "Lists a merchant's keys, by id and last digits.",
  usage: 'MERCHANT [--json]',
  positionals: ['MERCHANT'],
  options: { json: JSON_OPTION },
  run: ({ config, options, positionals }) => {
    const id = readMerchantId(positionals[0]);
    return withDatabase(config, async (pool) => {
      const keys = (await listKeys(pool, id)).map(show);
      if (options['json']) printJson(keys);
      else
        printTable(
          ['KEY', 'ENDS WITH', 'CREATED', 'REVOKED'],
          keys.map(({ keyId, endsWith, created, revoked }) => [keyId, endsWith, created, revoked ?? '-']),
        );
      return 0;
    });
  },
};

export const revokeKeyCommand: Command = {
  name: 'key revoke',
  summary: 'Revokes a key, for good and at once.',
  usage: 'KEY [--json]',
  positionals: ['KEY'],
  options: { json: JSON_OPTION },
  run: ({ config, options, positionals }) =>
    withDatabase(config, async (pool) => {
      const id = positionals[0] as string;
      const key = await revokeKey(pool, id);
      if (key === undefined)
        throw new UserError(`There is no key ${id}. kassa key list MERCHANT shows a merchant's keys.`);
      if (options['json']) printJson(show(key));
      else print(`Key ${key.id} of merchant ${key.merchantId} is revoked.`);
      return 0;
    }),
};
