// Who is asking, for which merchant, and what they may do. Every page and every address of the console's API below a
// merchant goes through here; what is not theirs is answered as if it were not there.
import type { FastifyRequest } from 'fastify';
import type { Actor } from '../domain/audit.ts';
import type { Merchant } from '../domain/merchant.ts';
import { grants } from '../domain/role.ts';
import type { Right, Role } from '../domain/role.ts';
import { findMerchant } from '../store/merchants/merchants.ts';
import { findPerson } from '../store/people/people.ts';
import type { Person } from '../store/people/people.ts';
import { findSession } from '../store/people/sessions.ts';
import type { Session } from '../store/people/sessions.ts';
import type { Language } from '../pages/language.ts';
import type { ConsoleContext } from './context.ts';
import { languageFor } from './texts.ts';
import { isForLater } from './ways-in/offer.ts';
import { readSessionCookie } from './cookie.ts';

export type Visitor = {
  readonly person: Person;
  /** In which they are spoken to: what they have chosen, or what their browser asks for. */
  readonly language: Language;
  readonly session: Session;
  /** From which they ask now. */
  readonly address: string;
  /** Whether they are offered a way in of their own, having none but the link that they came by. */
  readonly isOffered: boolean;
  /** Whether their first way in asks for no fresh proof, for which they have nothing: at test merchants alone. */
  readonly isFirstWayFree: boolean;
  /** Whether they came in by a link alone, and a merchant of theirs asks for more: they register that, and nothing else. */
  readonly isWeak: boolean;
  /** Who made a link with which somebody else could have signed in as them, and when; until they have closed the notice. */
  readonly recovery?: NonNullable<Person['recovery']>;
};

/** A visitor at a merchant of theirs. */
export type Member = Visitor & { readonly merchant: Merchant; readonly role: Role };

/** Roles that groups gave are the directory's to take away: only who came in by its word has them. */
const usableBy = ({ method }: Session, { memberships, ...person }: Person): Person => ({
  ...person,
  memberships: memberships.filter(({ byGroups }) => !byGroups || method === 'oidc'),
});

/** By a script of ours while nobody does anything: it keeps no session from ending. */
const isBackground = ({ headers }: FastifyRequest): boolean =>
  headers['kassa-background'] !== undefined || /(?:^|; *)kassa-background=/.test(headers.cookie ?? '');

export async function findVisitor(
  { payments, publicUrl, signIn }: ConsoleContext,
  request: FastifyRequest,
): Promise<Visitor | undefined> {
  const { pool } = payments.store;
  const secret = readSessionCookie(request, publicUrl());
  const session =
    secret === undefined
      ? undefined
      : await findSession(pool, secret, { isBackground: isBackground(request), idleMinutes: signIn.idleMinutes });
  const found = session && (await findPerson(pool, session.personId));
  const person = found && session && usableBy(session, found);
  const isOffered =
    !signIn.onlyOidc && session?.method === 'link' && person?.hasWayIn === false && !isForLater(request, publicUrl());
  const isFirstWayFree =
    session?.method === 'link' && found?.hasWayIn === false && found.memberships.every(({ live }) => !live);
  // The strictest of their merchants counts, whichever they open.
  const isWeak = session?.isStrong === false && found?.memberships.some(({ secondFactor }) => secondFactor) === true;
  return (
    session &&
    person && {
      person,
      language: languageFor(request, person.language),
      session,
      address: request.ip,
      isOffered,
      isFirstWayFree,
      isWeak,
      ...(person.recovery && !session.isTold && { recovery: person.recovery }),
    }
  );
}

const MERCHANT_ID = /^\d{9}$/;

export async function findMember(
  context: ConsoleContext,
  visitor: Visitor,
  merchantId: string,
): Promise<Member | undefined> {
  if (!MERCHANT_ID.test(merchantId)) return undefined;
  const membership = visitor.person.memberships.find((each) => each.merchantId === Number(merchantId));
  const merchant = membership && (await findMerchant(context.payments.store.pool, membership.merchantId));
  return membership && merchant && { ...visitor, merchant, role: membership.role };
}

/** For a merchant that is disabled nothing new begins, here as little as by its keys. */
export const may = ({ role, merchant }: Member, right: Right): boolean =>
  grants(role, right) && (right === 'read' || merchant.disabledAt === undefined);

/** Who it is, for the audit: the person, and from where they ask. */
export const actorOf = ({ person, session, address }: Visitor): Actor => ({
  kind: 'person',
  id: person.id,
  name: person.email,
  address,
  ...(session.recoveryBy !== undefined && { recoveryBy: session.recoveryBy }),
});
