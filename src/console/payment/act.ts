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

export type ActRequest = Omit<Move, 'idempotency'> & { readonly fields: Readonly<Record<string, string>> };

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
  { fields: { key = '', ...said }, ...asked }: ActRequest,
): Promise<ActOutcome> {
  // What the form says, and not what that comes to: the payment may have changed since it was done.
  const idempotency = { key, request: digestOf(said) };
  const moved = await moveMoney(payments, askerOf(member, request), { ...asked, idempotency });
  if (moved.kind === 'other_request_had_key') return { kind: 'other_act' };
  if (moved.kind !== 'refused') return moved;
  const words = wordsOf(moved.refusal, asked.payment.order.currency, member.language);
  const { replayed } = consoleTexts(member.language).acts;
  return { kind: 'refused', words: moved.isReplayed ? { ...words, message: `${words.message} ${replayed}` } : words };
}
