// `kassa audit head`: prints the signed head of the audit, to be kept where nobody who writes to the database reaches it.
// Also how `kassa verify` reads those that were kept.
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { print, remark } from '../../ops/print.ts';
import { UserError } from '../../ops/user-error.ts';
import { withDatabase } from '../../start/database.ts';
import { publicTextOf, readChainHeads, SignedHeads, signHeads, signingKeyOf } from '../../store/audit/audit-head.ts';
import { countOf, JSON_OPTION, printJson } from '../terminal/command.ts';
import type { Command } from '../terminal/command.ts';

const NO_KEY = 'KASSA_AUDIT_KEY is not set. Make a key with openssl rand -hex 32, and keep it out of the database.';

export const auditHeadCommand: Command = {
  usage: '[--json]',
  more: 'It is signed with KASSA_AUDIT_KEY. Keep it where nobody who can write to the database can change it;\nkassa verify --audit-head checks the audit against it.',
  options: { json: JSON_OPTION },
  run: ({ config, options }) => {
    if (config.auditKeys.length === 0) throw new UserError(NO_KEY);
    const key = signingKeyOf(config.auditKeys);
    if (key === undefined) throw new UserError('KASSA_AUDIT_KEY holds public keys alone, which sign nothing.');
    return withDatabase(config, async (pool) => {
      const chains = await readChainHeads(pool);
      const at = new Date();
      const heads = signHeads(key, at, chains);
      const publicKey = publicTextOf(key);
      const shown = chains.map(({ merchantId, number, hash }) => ({ merchantId, number, hash: hash.toString('hex') }));
      if (options['json']) printJson({ at: at.toISOString(), key: key.id, publicKey, heads, chains: shown });
      else {
        for (const head of heads) print(head);
        remark(`${countOf(chains.length, 'chain')}, signed with the key ${key.id}. To check only: ${publicKey}`);
      }
      return 0;
    });
  },
};

/** `named`: a head, a file that holds some, such as a log, or - for standard input. */
export async function readSignedHeads(named: string, keys: readonly string[]): Promise<SignedHeads> {
  if (keys.length === 0) throw new UserError(NO_KEY);
  const heads = new SignedHeads(keys);
  if (named.startsWith('kassa-head-')) heads.add(named);
  else {
    const input = named === '-' ? process.stdin : createReadStream(named);
    try {
      for await (const line of createInterface({ input, crlfDelay: Infinity })) heads.add(line);
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      throw new UserError(`--audit-head is ${named}, which cannot be read (${code}).`);
    }
  }
  if (heads.count === 0) throw new UserError(`There is no audit head in ${named === '-' ? 'standard input' : named}.`);
  return heads;
}
