// What the pages of a person's own show: themselves, their ways in, and a merchant of theirs for the frame.
import { findPassword } from '../store/people/passwords.ts';
import { listPasskeys } from '../store/people/passkeys.ts';
import { rootOf } from './context.ts';
import type { ConsoleContext } from './context.ts';
import type { Account } from './page/account.ts';
import { firstPlaceOf } from './page-reply.ts';
import type { Visitor } from './visitor.ts';
import { siteOf } from './ways-in/passkeys.ts';

/** The page of a person stands in the frame of the first of their merchants. */
export async function accountOf(context: ConsoleContext, visitor: Visitor): Promise<Account> {
  const root = rootOf(context);
  const { pool } = context.payments.store;
  const [place, passkeys, password] = await Promise.all([
    // The frame leads to pages that are not open to them yet.
    visitor.isWeak ? undefined : firstPlaceOf(context, visitor),
    listPasskeys(pool, visitor.person.id),
    findPassword(pool, visitor.person.id),
  ]);
  return { root, visitor, place, passkeys, password, origin: siteOf(context)?.origin, signIn: context.signIn };
}

/** Whether a person without one of their ways in would have none left. */
export const isLastWay = ({ passkeys, password }: Account): boolean =>
  passkeys.length + (password === undefined ? 0 : 1) <= 1;
