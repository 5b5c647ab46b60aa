// Limits attempts with passwords and codes. Ten failures lock an account for half an hour. A known browser has its own
// lock, so that strangers cannot lock the person out; passkeys and links do not count. Strangers are also limited per IP
// address.
import type { FastifyRequest } from 'fastify';
import { isUnnamedProxy, networkOf } from '../../server/network.ts';
import { accountLock, browserLock, proofLock } from '../../merchants/sign-in-lock.ts';
import type { Person } from '../../store/people/people.ts';
import type { Pool } from '../../store/connections/pool.ts';
import { countTry, uncountTries } from '../../store/people/sign-in-tries.ts';
import type { Counted, CountedTry } from '../../store/people/sign-in-tries.ts';

// Within ten minutes each. A code of six digits is right by chance three times in a million.
const MOST_OF_ADDRESS = 30;
const MOST_OF_PROXY = 300;

/** `lockedUntilMs`: the account is locked, and not only the network asked to wait. */
export type Wait = { readonly kind: 'wait'; readonly seconds: number; readonly lockedUntilMs?: number };
export type Try =
  | Wait
  | {
      readonly kind: 'go';
      readonly succeed: () => Promise<void>;
      /** Until when the account is locked if this one fails, as the last that there may be. */
      readonly locksUntilMs?: number;
    };

const waitFor = ({ untilMs, seconds }: CountedTry, { isLock }: Counted): Wait => ({
  kind: 'wait',
  seconds,
  ...(isLock && { lockedUntilMs: untilMs }),
});

async function begin(pool: Pool, counted: readonly Counted[]): Promise<Try> {
  let locksUntilMs: number | undefined;
  for (const [index, each] of counted.entries()) {
    const tried = await countTry(pool, each);
    if (tried.count > each.most) {
      // Nothing was tried: rejected attempts do not count.
      if (index > 0) await uncountTries(pool, counted.slice(0, index));
      return waitFor(tried, each);
    }
    if (each.isLock && tried.count === each.most) locksUntilMs = tried.untilMs;
  }
  const succeed = (): Promise<void> => uncountTries(pool, counted);
  return { kind: 'go', succeed, ...(locksUntilMs !== undefined && { locksUntilMs }) };
}

export type Trying = {
  /** The person, or the e-mail address as it was typed where nobody has it. */
  readonly account: Person | string;
  readonly request: FastifyRequest;
  /** What names the browser, where the person has used it before. */
  readonly browser: string | undefined;
};

/** In a browser of theirs, whatever strangers have tried; what fails there counts for the account as well. */
async function beginAtHome(pool: Pool, person: Person, browser: string): Promise<Try> {
  const tried = await begin(pool, [browserLock(person, browser)]);
  if (tried.kind === 'wait') return tried;
  const account = accountLock(person);
  await countTry(pool, account);
  const succeed = async (): Promise<void> => {
    await tried.succeed();
    // As one try less: those of strangers stay.
    await uncountTries(pool, [{ ...account, isLock: false }]);
  };
  return { ...tried, succeed };
}

/** Of somebody who wants to sign in. */
export function beginTry(pool: Pool, { account, request, browser }: Trying): Promise<Try> {
  if (browser !== undefined && typeof account !== 'string') return beginAtHome(pool, account, browser);
  const network = networkOf(request.ip);
  // A proxy that nobody named speaks for everybody.
  const ofNetwork = isUnnamedProxy(request)
    ? { what: ['proxy', network], most: MOST_OF_PROXY }
    : { what: ['address', network], most: MOST_OF_ADDRESS };
  return begin(pool, [ofNetwork, accountLock(account)]);
}

/** Of somebody who is in and shows that it is them. */
export const beginProofTry = (pool: Pool, person: Person): Promise<Try> => begin(pool, [proofLock(person)]);
