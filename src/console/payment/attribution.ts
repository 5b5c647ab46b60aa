// Who did something with a payment at the console. A movement keeps the person in its details, and the audit tells of every
// act; both are written with the change itself.
import type { FastifyRequest } from 'fastify';
import type { Facts } from '../../domain/audit.ts';
import type { MovementDetails } from '../../domain/movement.ts';
import type { Payment } from '../../domain/payment.ts';
import { tellActsOf } from '../../store/audit-waits.ts';
import type { WaitingAct } from '../../store/audit-waits.ts';
import { listPeople } from '../../store/people.ts';
import type { ConsoleContext } from '../context.ts';
import { paymentTexts } from '../languages/payment.ts';
import { fill } from '../languages/texts.ts';
import { actorOf } from '../visitor.ts';
import type { Member } from '../visitor.ts';

type PaymentAction = 'charge' | 'refund' | 'cancel' | 'cancel-refund' | 'terminate' | 'pay';

export const askedBy = ({ person }: Member): MovementDetails => ({ askedBy: person.id });

/** What goes with the commit of an act. */
export const actBy = (member: Member, action: PaymentAction, after?: Facts): WaitingAct => ({
  actor: actorOf(member),
  action: `payment.${action}`,
  ...(after && { after }),
});

/** Adds the record of an act that is done, or under way. What cannot be added now the housekeeping adds. */
export async function noteActs(
  { payments }: ConsoleContext,
  request: FastifyRequest,
  paymentId: string,
): Promise<void> {
  await tellActsOf(payments.store.pool, paymentId).catch((error: unknown) =>
    request.log.warn({ err: error, paymentId }, 'the record of an act waits'),
  );
}

/** The names of those who asked for movements of a payment, by the movement. */
export async function doersOf(
  { payments }: ConsoleContext,
  { merchant, language }: Member,
  { movements }: Payment,
): Promise<(movementId: string) => string | undefined> {
  if (movements.every(({ details }) => details?.askedBy === undefined)) return () => undefined;
  const people = await listPeople(payments.store.pool, merchant.id);
  const texts = paymentTexts(language);
  const names = new Map(people.map(({ id, email }) => [id, email]));
  return (movementId) => {
    const doer = movements.find(({ id }) => id === movementId)?.details?.askedBy;
    return doer === undefined ? undefined : fill(texts.by, { who: names.get(doer) ?? texts.whoLeft });
  };
}
