// Authentication and authorization of a console request. Every page and API route of a merchant goes through here; other
// people's merchants look like missing ones.
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
import { isForLater } from './sign-in/offer.ts';
import { readSessionCookie } from './cookie.ts';

export type Visitor = {
  readonly person: Person;
  /** Their chosen language, or that of their browser. */
  readonly language: Language;
  readonly session: Session;
  /** The current IP address. */
  readonly address: string;
  /** Whether to offer registering a credential, since they only have a link. */
  readonly isOffered: boolean;
  /** Whether their first way in asks for no fresh proof, for which they have nothing: at test merchants alone. */
  readonly isFirstWayFree: boolean;
  /** Whether they signed in with a link but a merchant requires more: they can only register a second factor. */
  readonly isWeak: boolean;
  /** Who created a recovery link for them, and when; until they dismiss the notice. */
  readonly recovery?: NonNullable<Person['recovery']>;
};

/** A visitor at a merchant of theirs. */
export type Member = Visitor & { readonly merchant: Merchant; readonly role: Role };

/** Roles from groups only apply to sessions from single sign-on. */
const usableBy = ({ method }: Session, { memberships, ...person }: Person): Person => ({
  ...person,
  memberships: memberships.filter(({ byGroups }) => !byGroups || method === 'oidc'),
});

/** Background requests of our scripts do not extend the session. */
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
  // The strictest of their merchants counts.
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

/** A disabled merchant cannot start anything new. */
export const may = ({ role, merchant }: Member, right: Right): boolean =>
  grants(role, right) && (right === 'read' || merchant.disabledAt === undefined);

/** The actor for the audit: the person and their IP address. */
export const actorOf = ({ person, session, address }: Visitor): Actor => ({
  kind: 'person',
  id: person.id,
  name: person.email,
  address,
  ...(session.recoveryBy !== undefined && { recoveryBy: session.recoveryBy }),
});
