// `kassa key create|list|revoke`: a merchant can have several valid keys, so that they can be rotated without downtime.
import { isScope, ownScopes, SCOPES, USUAL_SCOPES } from '../../domain/scope.ts';
import type { Scope } from '../../domain/scope.ts';
import { isoTime } from '../../domain/time.ts';
import { readMoment } from '../../server/formats.ts';
import { issueKey, LONGEST_KEY_NAME, MOST_KEY_DAYS, MOST_KEYS, revokeKey } from '../../merchants/keys.ts';
import { listKeys } from '../../store/merchants/keys.ts';
import type { KeyTerms, SecretKey } from '../../store/merchants/keys.ts';
import { print, remark } from '../../ops/print.ts';
import { UserError } from '../../ops/user-error.ts';
import { JSON_OPTION, printJson, printTable } from '../terminal/command.ts';
import type { Command } from '../terminal/command.ts';
import { withDatabase } from '../../start/database.ts';
import { MAYBE_MERCHANT, MAYBE_MERCHANT_TEXT, merchantIn, noMerchant, readMerchantId } from './which-merchant.ts';
import { whoAsks } from './who.ts';

const show = ({ id, merchantId, hint, name, scopes, createdAt, expiresAt, lastUsedAt, revokedAt }: SecretKey) => ({
  keyId: id,
  merchantId,
  ...(name !== undefined && { name }),
  endsWith: hint,
  scopes: scopes ?? USUAL_SCOPES,
  created: isoTime(createdAt),
  ...(expiresAt !== undefined && { expires: isoTime(expiresAt) }),
  ...(lastUsedAt !== undefined && { lastUsed: isoTime(lastUsedAt) }),
  ...(revokedAt !== undefined && { revoked: isoTime(revokedAt) }),
});

function readScopes(text: string | undefined): readonly Scope[] | undefined {
  if (text === undefined) return undefined;
  const names = [...new Set(text.split(',').map((name) => name.trim()))];
  if (!names.every(isScope))
    throw new UserError(`--scopes is ${text}; it must be one or more of ${SCOPES.join(', ')}, separated by commas.`);
  return ownScopes(names);
}

function readExpiry(text: string | undefined): KeyTerms['expires'] {
  if (text === undefined) return undefined;
  const days = /^([1-9]\d{0,3})d$/.exec(text)?.[1];
  if (days !== undefined) return { afterDays: Number(days) };
  const atMs = readMoment(text);
  if (atMs === undefined)
    throw new UserError(`--expires is ${text}; it must be a number of days such as 90d, or a date such as 2027-01-31.`);
  return { atMs };
}

function explainRefusal(kind: Exclude<Awaited<ReturnType<typeof issueKey>>['kind'], 'issued'>, id: number): UserError {
  switch (kind) {
    case 'no_merchant':
      return noMerchant(id);
    case 'bad_name':
      return new UserError(`--name must be one line of 1 to ${LONGEST_KEY_NAME} characters.`);
    case 'bad_expiry':
      return new UserError(`--expires must be in the future, and within ${MOST_KEY_DAYS} days.`);
    case 'too_many':
      return new UserError(`Merchant ${id} already has ${MOST_KEYS} keys; revoke one first.`);
  }
}

export const createKeyCommand: Command = {
  usage: 'MERCHANT [--name NAME] [--scopes SCOPES] [--expires TIME] [--json]',
  positionals: ['MERCHANT'],
  options: {
    name: { type: 'string', value: 'NAME', what: 'A name for the key, for example after its user.' },
    scopes: {
      type: 'string',
      value: 'SCOPES',
      what: 'Permissions: read, money, webhooks, audit, separated by commas. Default: all but audit.',
    },
    expires: {
      type: 'string',
      value: 'TIME',
      what: 'Expiry: a number of days such as 90d, or a date. Default: never.',
    },
    json: JSON_OPTION,
  },
  run: ({ config, options, positionals }) => {
    const id = readMerchantId(positionals[0]);
    const { name, scopes: scopesText, expires: expiresText } = options as Readonly<Record<string, string | undefined>>;
    const [scopes, expires] = [readScopes(scopesText), readExpiry(expiresText)];
    const terms = { ...(name !== undefined && { name }), ...(scopes && { scopes }), ...(expires && { expires }) };
    return withDatabase(config, async (pool) => {
      const issued = await issueKey(pool, whoAsks(), id, terms);
      if (issued.kind !== 'issued') throw explainRefusal(issued.kind, id);
      const { key, secret } = issued;
      if (options['json']) printJson({ ...show(key), secretKey: secret });
      else {
        print(secret);
        remark(`Its id is ${key.id}. Save the key now: only its hash is stored.`);
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
          ['KEY', 'NAME', 'ENDS WITH', 'SCOPES', 'CREATED', 'LAST USED', 'EXPIRES', 'REVOKED'],
          keys.map(({ keyId, name, endsWith, scopes, created, lastUsed, expires, revoked }) => [
            keyId,
            name ?? '-',
            endsWith,
            scopes === USUAL_SCOPES ? 'all but audit' : scopes.join(','),
            created,
            lastUsed ?? '-',
            expires ?? '-',
            revoked ?? '-',
          ]),
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
      if (revoked.kind === 'no_key') throw new UserError(`There is no key ${id}. kassa key list MERCHANT shows all.`);
      const { key } = revoked;
      if (options['json']) printJson(show(key));
      else print(`Revoked key ${key.id} of merchant ${key.merchantId}.`);
      return 0;
    });
  },
};
