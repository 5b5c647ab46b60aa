// Records refusals for the audit: failed sign-ins and forbidden requests.
import type { FastifyRequest } from 'fastify';
import { networkOf } from '../server/network.ts';
import type { Person } from '../store/people/people.ts';
import type { SignInMethod } from '../store/people/sessions.ts';
import type { ConsoleContext } from './context.ts';
import type { Visitor } from './visitor.ts';

type Attempt = {
  /** Only a code, for a signed-in person. */
  readonly method: SignInMethod | 'code';
  /** Wrong or forged credentials, too many attempts, or an unknown person. */
  readonly reason: 'wrong' | 'signature' | 'wait' | 'unknown';
  readonly person?: Person | undefined;
  /** What was typed where it is nobody's. */
  readonly typed?: string;
};

const actorOf = ({ id, email }: Person) => ({ kind: 'person', id, name: email }) as const;
const merchantIdsOf = ({ memberships }: Person): number[] => memberships.map(({ merchantId }) => merchantId);

export function noteRefusedSignIn(
  { payments: { store } }: ConsoleContext,
  { ip }: FastifyRequest,
  { method, reason, person, typed }: Attempt,
): void {
  store.refusals.note({
    ...(person && { actor: actorOf(person) }),
    ...(typed !== undefined && { typed }),
    merchantIds: person ? merchantIdsOf(person) : [],
    address: ip,
    network: networkOf(ip),
    isProved: false,
    action: 'person.sign-in-refused',
    after: { method, reason },
  });
}

/** Without `merchantId`, it is recorded at all merchants of the person. */
export function noteRefusedAccess(
  { payments: { store } }: ConsoleContext,
  { ip, method, routeOptions }: FastifyRequest,
  { person, session, isWeak }: Visitor,
  merchantId?: number,
): void {
  store.refusals.note({
    actor: {
      ...actorOf(person),
      ...(session.recoveryBy !== undefined && { recoveryBy: session.recoveryBy }),
    },
    merchantIds: merchantId === undefined ? merchantIdsOf(person) : [merchantId],
    address: ip,
    network: networkOf(ip),
    isProved: true,
    action: 'access.refuse',
    // As it is routed: what was typed into an address is not repeated.
    subject: `${method} ${routeOptions.url ?? ''}`,
    after: { reason: merchantId !== undefined ? 'role' : isWeak ? 'second factor' : 'elsewhere' },
  });
}
