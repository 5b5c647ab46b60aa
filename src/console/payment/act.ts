// Charges, refunds and cancels that a person asks for, each with a key that was made when its form was opened; and what
// came of them, in words.
import { randomBytes } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { moveMoney } from '../../merchants/payment-actions.ts';
import type { Asker, Move, Moved } from '../../merchants/payment-actions.ts';
import { digestOf } from '../../server/body.ts';
import type { ConsoleContext } from '../context.ts';
import { consoleTexts } from '../texts.ts';
import { actorOf } from '../visitor.ts';
import type { Member } from '../visitor.ts';
import { wordsOf } from './refusal-words.ts';
import type { Words } from './refusal-words.ts';

export const newActKey = (): string => `console-${randomBytes(16).toString('hex')}`;

/** Only keys of the console: so nobody finds here what a request of the API was answered. */
export const isActKey = (text: unknown): text is string =>
  typeof text === 'string' && /^console-[0-9a-f]{32}$/.test(text);

export type ActRequest = Omit<Move, 'idempotency'> & { readonly key: string };

export type ActOutcome =
  | Exclude<Moved, { readonly kind: 'refused' | 'other_request_had_key' }>
  | { readonly kind: 'refused'; readonly words: Words }
  /** The key was used for something else. */
  | { readonly kind: 'other_act' };

export const askerOf = (member: Member, { log }: FastifyRequest): Asker => ({
  merchant: member.merchant,
  actor: actorOf(member),
  isProved: member.session.isProved,
  onAuditWaits: (error) => log.warn({ err: error }, 'an audit record waits for the housekeeping'),
});

export async function act(
  { payments }: ConsoleContext,
  member: Member,
  request: FastifyRequest,
  { key, ...asked }: ActRequest,
): Promise<ActOutcome> {
  const { payment, amount, items } = asked;
  const idempotency = { key, request: digestOf({ amount, items }) };
  const moved = await moveMoney(payments, askerOf(member, request), { ...asked, idempotency });
  if (moved.kind === 'other_request_had_key') return { kind: 'other_act' };
  if (moved.kind !== 'refused') return moved;
  const words = wordsOf(moved.refusal, payment.order.currency, member.language);
  const { replayed } = consoleTexts(member.language).acts;
  return { kind: 'refused', words: moved.isReplayed ? { ...words, message: `${words.message} ${replayed}` } : words };
}
