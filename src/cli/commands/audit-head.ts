// `kassa audit head`: prints the signed head of the audit, to be stored out of reach of anyone who can write to the
// database. Also reads such heads for `kassa verify`.
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { print, remark } from '../../ops/print.ts';
import { UserError } from '../../ops/user-error.ts';
import { withDatabase } from '../../start/database.ts';
import { publicTextOf, readChainHeads, SignedHeads, signHeads, signingKeyOf } from '../../store/audit/audit-head.ts';
import { countOf, JSON_OPTION, printJson } from '../terminal/command.ts';
import type { Command } from '../terminal/command.ts';

const NO_KEY =
  'KASSA_AUDIT_KEY is not set. Generate a key with openssl rand -hex 32, and store it outside the database.';

export const auditHeadCommand: Command = {
  usage: '[--json]',
  more: 'Signs with KASSA_AUDIT_KEY. Store the head out of reach of anyone who can write to the database;\nkassa verify --audit-head checks the audit against it.',
  options: { json: JSON_OPTION },
  run: ({ config, options }) => {
    if (config.auditKeys.length === 0) throw new UserError(NO_KEY);
    const key = signingKeyOf(config.auditKeys);
    if (key === undefined) throw new UserError('KASSA_AUDIT_KEY contains only public keys, which cannot sign.');
    return withDatabase(config, async (pool) => {
      const chains = await readChainHeads(pool);
      const at = new Date();
      const heads = signHeads(key, at, chains);
      const publicKey = publicTextOf(key);
      const shown = chains.map(({ merchantId, number, hash }) => ({ merchantId, number, hash: hash.toString('hex') }));
      if (options['json']) printJson({ at: at.toISOString(), key: key.id, publicKey, heads, chains: shown });
      else {
        for (const head of heads) print(head);
        remark(
          `${countOf(chains.length, 'chain')}, signed with key ${key.id}. Public key for verification: ${publicKey}`,
        );
      }
      return 0;
    });
  },
};

/** `named`: a head, a file that contains some, such as a log, or - for standard input. */
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
      throw new UserError(`The --audit-head file ${named} cannot be read (${code}).`);
    }
  }
  if (heads.count === 0) throw new UserError(`There is no audit head in ${named === '-' ? 'standard input' : named}.`);
  return heads;
}
