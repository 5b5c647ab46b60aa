// Who did something with a payment at the console. A movement keeps the person in its details, so that it is written with
// the movement itself; every act is told of besides.
import type { FastifyRequest } from 'fastify';
import type { Facts } from '../../domain/audit.ts';
import type { MovementDetails } from '../../domain/movement.ts';
import type { Payment } from '../../domain/payment.ts';
import { recordAct } from '../../store/audit.ts';
import { listPeople } from '../../store/people.ts';
import { withinTransaction } from '../../store/transaction.ts';
import type { ConsoleContext } from '../context.ts';
import { actorOf } from '../visitor.ts';
import type { Member } from '../visitor.ts';

export type PaymentAct = {
  readonly action: 'charge' | 'refund' | 'cancel' | 'cancel-refund' | 'terminate' | 'pay';
  readonly paymentId: string;
  readonly after?: Facts;
};

export const askedBy = ({ person }: Member): MovementDetails => ({ askedBy: person.id });

/**
 * Tells of an act once it is done, or under way. Money has a commit of its own, which is not undone because this could not
 * be written: then the log has it, and the movement itself.
 */
export async function noteAct(
  { payments }: ConsoleContext,
  member: Member,
  request: FastifyRequest,
  { action, paymentId, after }: PaymentAct,
): Promise<void> {
  const actor = actorOf(member);
  const act = { actor, action: `payment.${action}`, subject: paymentId, ...(after && { after }) } as const;
  try {
    await withinTransaction(payments.store.pool, (within) => recordAct(within, member.merchant, act));
  } catch (error) {
    request.log.error({ err: error, person: actor.id, action, paymentId, after }, 'an act could not be recorded');
  }
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
