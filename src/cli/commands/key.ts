// `kassa key create|list|revoke`: a merchant can have several valid keys, so that they can be rotated without a gap.
import { issueKey, revokeKey } from '../../merchants/keys.ts';
import { listKeys } from '../../store/merchants.ts';
import type { SecretKey } from '../../store/merchants.ts';
import { print, remark } from '../../ops/print.ts';
import { UserError } from '../../ops/user-error.ts';
import { JSON_OPTION, printJson, printTable } from '../terminal/command.ts';
import type { Command } from '../terminal/command.ts';
import { withDatabase } from '../../start/database.ts';
import { MAYBE_MERCHANT, MAYBE_MERCHANT_TEXT, merchantIn, noMerchant, readMerchantId } from './which-merchant.ts';
import { whoAsks } from './who.ts';

const show = ({ id, merchantId, hint, createdAt, revokedAt }: SecretKey) => ({
  keyId: id,
  merchantId,
  endsWith: hint,
  created: new Date(createdAt).toISOString(),
  ...(revokedAt !== undefined && { revoked: new Date(revokedAt).toISOString() }),
});

export const createKeyCommand: Command = {
  usage: 'MERCHANT [--json]',
  positionals: ['MERCHANT'],
  options: { json: JSON_OPTION },
  run: ({ config, options, positionals }) => {
    const id = readMerchantId(positionals[0]);
    return withDatabase(config, async (pool) => {
      const issued = await issueKey(pool, whoAsks(), id);
      if (issued.kind === 'no_merchant') throw noMerchant(id);
      const { key, secret } = issued;
      if (options['json']) printJson({ ...show(key), secretKey: secret });
      else {
        print(secret);
        remark(`Its id is ${key.id}. Only a hash of the key is kept: note it down now.`);
      }
      return 0;
    });
  },
};

export const listKeysCommand: Command = {
  usage: '[MERCHANT] [--json]',
  more: MAYBE_MERCHANT_TEXT,
  positionals: [MAYBE_MERCHANT],
  options: { json: JSON_OPTION },
  run: ({ config, options, positionals }) => {
    const merchant = merchantIn(positionals);
    return withDatabase(config, async (pool) => {
      const { id } = await merchant(pool);
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
  usage: 'KEY [--json]',
  more: 'KEY is the id that kassa key list shows, such as key_0123456789abcdef.',
  positionals: ['KEY'],
  options: { json: JSON_OPTION },
  run: ({ config, options, positionals }) => {
    const [id = ''] = positionals;
    // Not repeated: it may be the key itself.
    if (!/^key_[0-9a-f]{16}$/.test(id))
      throw new UserError(
        'KEY must be the id of a key, such as key_0123456789abcdef: kassa key list MERCHANT shows it.',
      );
    return withDatabase(config, async (pool) => {
      const revoked = await revokeKey(pool, whoAsks(), id);
      if (revoked.kind === 'no_key')
        throw new UserError(`There is no key ${id}. kassa key list MERCHANT shows those there are.`);
      const { key } = revoked;
      if (options['json']) printJson(show(key));
      else print(`Key ${key.id} of merchant ${key.merchantId} is revoked.`);
      return 0;
    });
  },
};
