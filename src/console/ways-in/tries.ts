// How often somebody may try a password or a code. Strangers are counted by address, by address and account, and by
// account; a browser that the person has used before is counted alone. So guessing is slow, and no stranger keeps a person
// out of their own browser; passkeys and links are never counted.
import type { FastifyRequest } from 'fastify';
import { isUnnamedProxy, networkOf } from '../../http/network.ts';
import type { Pool } from '../../store/pool.ts';
import { countTry, uncountTries } from '../../store/sign-in-tries.ts';
import type { Counted } from '../../store/sign-in-tries.ts';

// Within ten minutes each. A code of six digits is right by chance three times in a million.
const MOST_OF_BROWSER = 10;
const MOST_OF_ADDRESS = 30;
const MOST_OF_ADDRESS_AND_ACCOUNT = 5;
const MOST_OF_PROXY = 300;
const MOST_OF_ACCOUNT = 15;
const MOST_OF_PROOFS = 5;

export type Try =
  | { readonly kind: 'wait'; readonly seconds: number }
  | { readonly kind: 'go'; readonly succeed: () => Promise<void> };

async function begin(pool: Pool, counted: readonly Counted[]): Promise<Try> {
  for (const [index, each] of counted.entries()) {
    const seconds = await countTry(pool, each);
    if (seconds === undefined) continue;
    // Nothing was tried: whoever is told to wait uses up no one else's.
    if (index > 0) await uncountTries(pool, counted.slice(0, index));
    return { kind: 'wait', seconds };
  }
  return { kind: 'go', succeed: () => uncountTries(pool, counted) };
}

export type Trying = {
  /** The id of the person, or the e-mail address as it was typed where nobody has it. */
  readonly account: string;
  readonly request: FastifyRequest;
  /** What names the browser, where the person has used it before. */
  readonly browser: string | undefined;
};

/** Of somebody who wants to sign in. */
export function beginTry(pool: Pool, { account, request, browser }: Trying): Promise<Try> {
  if (browser !== undefined) return begin(pool, [{ what: ['browser', browser], most: MOST_OF_BROWSER }]);
  const ofAccount = { what: ['account', account], most: MOST_OF_ACCOUNT };
  const network = networkOf(request.ip);
  // A proxy that nobody named speaks for everybody: few tries at one account may be of as many people.
  if (isUnnamedProxy(request)) return begin(pool, [{ what: ['proxy', network], most: MOST_OF_PROXY }, ofAccount]);
  return begin(pool, [
    { what: ['address', network], most: MOST_OF_ADDRESS },
    { what: ['address and account', network, account], most: MOST_OF_ADDRESS_AND_ACCOUNT },
    ofAccount,
  ]);
}

/** Of somebody who is in and shows that it is them. */
export const beginProofTry = (pool: Pool, personId: string): Promise<Try> =>
  begin(pool, [{ what: ['proof', personId], most: MOST_OF_PROOFS }]);
