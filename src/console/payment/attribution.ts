// Who did something with a payment at the console. A movement keeps the person in its details, so that it is written with
// the movement itself; every act is told of besides.
import type { FastifyRequest } from 'fastify';
import type { MovementDetails } from '../../domain/movement.ts';
import type { Payment } from '../../domain/payment.ts';
import { listPeople } from '../../store/people.ts';
import type { ConsoleContext } from '../context.ts';
import type { Member } from '../visitor.ts';

export type PaymentAct = {
  readonly action: 'charge' | 'refund' | 'cancel' | 'cancel-refund' | 'terminate' | 'pay' | 'erase';
  readonly paymentId: string;
  readonly after?: Readonly<Record<string, unknown>>;
};

export const askedBy = ({ person }: Member): MovementDetails => ({ askedBy: person.id });

/** Once it is done, or under way. */
export async function noteAct(
  _context: ConsoleContext,
  { person, merchant }: Member,
  request: FastifyRequest,
  { action, paymentId, after }: PaymentAct,
): Promise<void> {
  request.log.info({ person: person.id, merchant: merchant.id, action, paymentId, ...after }, 'act at the console');
}

/** The names of those who asked for movements of a payment, by the movement. */
export async function doersOf(
  { payments }: ConsoleContext,
  { id: merchantId }: Member['merchant'],
  { movements }: Payment,
): Promise<(movementId: string) => string | undefined> {
  if (movements.every(({ details }) => details?.askedBy === undefined)) return () => undefined;
  const people = await listPeople(payments.store.pool, merchantId);
  const names = new Map(people.map(({ id, email }) => [id, email]));
  return (movementId) => {
    const doer = movements.find(({ id }) => id === movementId)?.details?.askedBy;
    return doer === undefined ? undefined : `by ${names.get(doer) ?? 'somebody who has left'}`;
  };
}
