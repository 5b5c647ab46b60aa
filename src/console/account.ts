// The data of a person's own pages: the person, their credentials, and a merchant for the frame.
import { findPassword } from '../store/people/passwords.ts';
import { listPasskeys } from '../store/people/passkeys.ts';
import { rootOf } from './context.ts';
import type { ConsoleContext } from './context.ts';
import type { Account } from './page/account.ts';
import { firstPlaceOf } from './page-reply.ts';
import type { Visitor } from './visitor.ts';
import { siteOf } from './sign-in/passkeys.ts';

/** A person's own pages use the frame of their first merchant. */
export async function accountOf(context: ConsoleContext, visitor: Visitor): Promise<Account> {
  const root = rootOf(context);
  const { pool } = context.payments.store;
  const [place, passkeys, password] = await Promise.all([
    // The frame links to pages that they cannot open yet.
    visitor.isWeak ? undefined : firstPlaceOf(context, visitor),
    listPasskeys(pool, visitor.person.id),
    findPassword(pool, visitor.person.id),
  ]);
  return { root, visitor, place, passkeys, password, origin: siteOf(context)?.origin, signIn: context.signIn };
}

/** Whether this is the person's last credential. */
export const isLastWay = ({ passkeys, password }: Account): boolean =>
  passkeys.length + (password === undefined ? 0 : 1) <= 1;
