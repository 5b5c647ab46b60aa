// The lock of password sign-in after too many failed attempts: its counters, audit records and unlocking. Passkeys, links
// and single sign-on are not affected.
import { KASSA } from '../domain/audit.ts';
import type { Actor } from '../domain/audit.ts';
import { isoTime } from '../domain/time.ts';
import { addUnlock, findPerson, holdPerson } from '../store/people/people.ts';
import type { Person } from '../store/people/people.ts';
import type { Pool } from '../store/connections/pool.ts';
import { findLocks } from '../store/people/sign-in-tries.ts';
import type { Counted } from '../store/people/sign-in-tries.ts';
import { withinTransaction } from '../store/connections/transaction.ts';
import { merchantIdsOf, recordAtEach } from './person-audit.ts';

const MOST_TRIES = 10;

type Own = Pick<Person, 'id' | 'unlocks'>;

const lockOf = (kind: string, names: readonly string[], unlocks: number): Counted => ({
  what: [kind, ...names, String(unlocks)],
  most: MOST_TRIES,
  isLock: true,
});

/** For an account or, if there is none with the address, for the address, so that both behave alike. */
export const accountLock = (account: Own | string): Counted =>
  typeof account === 'string' ? lockOf('account', [account], 0) : lockOf('account', [account.id], account.unlocks);

/** For a browser in which the person has signed in before. */
export const browserLock = ({ id, unlocks }: Own, browser: string): Counted =>
  lockOf('browser', [id, browser], unlocks);

/** For codes with which a signed-in person confirms an action. */
export const proofLock = ({ id, unlocks }: Own): Counted => lockOf('proof', [id], unlocks);

/** Until when password sign-in or codes of these people are locked, by their ids. */
export async function findLocked(pool: Pool, people: readonly Own[]): Promise<ReadonlyMap<string, number>> {
  const locks = await findLocks(pool, [...people.map(accountLock), ...people.map(proofLock)]);
  const untilOf = (index: number): number => Math.max(locks[index] ?? 0, locks[people.length + index] ?? 0);
  return new Map(people.map(({ id }, index) => [id, untilOf(index)] as const).filter(([, until]) => until > 0));
}

/** `address`: the source of the last failed attempt. */
export async function recordLock(pool: Pool, personId: string, address: string, untilMs: number): Promise<void> {
  await withinTransaction(pool, async (within) => {
    const person = await findPerson(within, personId);
    if (person === undefined) return;
    await recordAtEach(within, merchantIdsOf(person), () => ({
      actor: { ...KASSA, address },
      action: 'person.lock',
      subject: person.id,
      after: { email: person.email, until: isoTime(untilMs) },
    }));
  });
}

/**
 * Resets the failed attempts, in all browsers. `merchantId`: the merchant of the admin who asks. A person of several
 * merchants cannot be unlocked by one of them, since the lock also protects the others.
 */
export async function unlockPerson(
  pool: Pool,
  actor: Actor,
  idOrEmail: string,
  merchantId?: number,
): Promise<
  | { readonly kind: 'unlocked'; readonly person: Person }
  | { readonly kind: 'no_person' }
  | { readonly kind: 'belongs_elsewhere' }
> {
  return withinTransaction(pool, async (within) => {
    const person = await holdPerson(within, idOrEmail);
    if (person === undefined) return { kind: 'no_person' };
    if (merchantId !== undefined) {
      if (!merchantIdsOf(person).includes(merchantId)) return { kind: 'no_person' };
      if (person.memberships.length > 1) return { kind: 'belongs_elsewhere' };
    }
    await addUnlock(within, person.id);
    await recordAtEach(within, merchantIdsOf(person), () => ({
      actor,
      action: 'person.unlock',
      subject: person.id,
      after: { email: person.email },
    }));
    return { kind: 'unlocked', person };
  });
}
