// Charges, refunds and cancels that a person asks for: by the one path of every change, each with a key that was made when
// its form was opened. Whoever brings the key again, by a second click, a reload or after a lost answer, is told what came
// of the first.
import { randomBytes } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Facts } from '../../domain/audit.ts';
import type { OrderItem } from '../../domain/item.ts';
import type { Payment } from '../../domain/payment.ts';
import { needsRefundProof } from '../../domain/refund-proof.ts';
import type { Language } from '../../pages/language.ts';
import { digestOf } from '../../server/body.ts';
import { cancelPayment, chargePayment, refundCharge } from '../../payments/move.ts';
import { operate } from '../../payments/operate.ts';
import type { Decide } from '../../payments/operate.ts';
import type { DecidedOutcome } from '../../payments/outcome.ts';
import type { RecordedAnswer } from '../../store/statements/recorded-answer.ts';
import type { ActKind } from '../../../web/shared/act-words.ts';
import type { ConsoleContext } from '../context.ts';
import { consoleTexts } from '../texts.ts';
import type { Member } from '../visitor.ts';
import { actBy, askedBy, noteActs } from './attribution.ts';
import { wordsOf } from './refusal-words.ts';
import type { Words } from './refusal-words.ts';

export const newActKey = (): string => `console-${randomBytes(16).toString('hex')}`;

/** Only keys of the console: so nobody finds here what a request of the API was answered. */
export const isActKey = (text: unknown): text is string =>
  typeof text === 'string' && /^console-[0-9a-f]{32}$/.test(text);

export type ActRequest = {
  readonly kind: ActKind;
  readonly payment: Payment;
  /** A refund's. */
  readonly chargeId?: string;
  readonly amount: number;
  readonly items: readonly OrderItem[];
  readonly key: string;
};

export type ActOutcome =
  | { readonly kind: 'made'; readonly movementId: string }
  /** The acquirer has not said what came of it; the movement's id where it is known. */
  | { readonly kind: 'pending'; readonly movementId?: string }
  | { readonly kind: 'refused'; readonly words: Words }
  | { readonly kind: 'not_found' }
  /** The key was used for something else. */
  | { readonly kind: 'other_act' }
  /** Nothing was done, and the same key can be brought again: first the person has to show that it is them. */
  | { readonly kind: 'proof_needed' };

type Kept = { readonly movementId?: string; readonly refused?: Words };

/** What is recorded of an outcome; `kassa verify` looks for the movement that it names. */
function keep(outcome: DecidedOutcome<string>, currency: string, language: Language): RecordedAnswer {
  const asText = (status: number, kept: Kept): RecordedAnswer => ({ status, text: JSON.stringify(kept) });
  if (outcome.kind === 'refused') return asText(422, { refused: wordsOf(outcome.refusal, currency, language) });
  return asText(201, { movementId: outcome.kind === 'pending' ? outcome.movement.id : outcome.result });
}

/** What the key was answered before. A refusal says so: the payment may have changed since. */
function readKept({ text }: RecordedAnswer, language: Language): ActOutcome {
  const { movementId, refused } = JSON.parse(text) as Kept;
  if (refused) {
    const message = `${refused.message} ${consoleTexts(language).acts.replayed}`;
    return { kind: 'refused', words: { ...refused, message } };
  }
  return movementId === undefined ? { kind: 'not_found' } : { kind: 'made', movementId };
}

/** Of a refund that has to wait: nothing is decided, and nothing recorded of its key. */
const PROOF_FIRST = { decision: undefined, result: '' };

function decisionOf(
  { payments }: ConsoleContext,
  { merchant, ...member }: Member,
  { kind, payment: { id: paymentId }, chargeId, amount, items }: ActRequest,
): Decide<string> {
  const request = { amount, items, details: askedBy({ merchant, ...member }) };
  if (kind === 'charge') return chargePayment(payments, merchant, request);
  if (kind === 'cancel') return cancelPayment(payments, merchant, request);
  const refund = refundCharge(payments, merchant, request, chargeId);
  const isProofNeeded = (payment: Payment): boolean =>
    !member.session.isProved && needsRefundProof(merchant.refundProof ?? {}, payment, amount);
  return (payment, at) => {
    if (payment.id !== paymentId) return undefined;
    return isProofNeeded(payment) ? PROOF_FIRST : refund(payment, at);
  };
}

function whatCameOf(decided: DecidedOutcome<string>): Facts {
  if (decided.kind === 'refused') return { refused: decided.refusal.name };
  return { movementId: decided.kind === 'pending' ? decided.movement.id : decided.result };
}

export async function act(
  context: ConsoleContext,
  member: Member,
  request: FastifyRequest,
  asked: ActRequest,
): Promise<ActOutcome> {
  const { kind, payment, chargeId, amount, items, key } = asked;
  const { currency } = payment.order;
  const { language } = member;
  const outcome = await operate<string>(context.payments, {
    merchant: member.merchant,
    target: chargeId ?? payment.id,
    isMovement: chargeId !== undefined,
    keyed: {
      operation: kind,
      idempotency: { key, request: digestOf({ amount, items }) },
      recordAnswer: (decided) => keep(decided, currency, language),
    },
    decide: decisionOf(context, member, asked),
    audit: (decided) => actBy(member, kind, { amount, currency, ...whatCameOf(decided) }),
  });
  await noteActs(context, request, payment.id);
  switch (outcome.kind) {
    case 'not_found':
      return { kind: 'not_found' };
    case 'other_request_had_key':
      return { kind: 'other_act' };
    case 'outcome_of_key_is_open':
      return { kind: 'pending' };
    case 'replayed':
      return readKept(outcome.recorded, language);
    case 'refused':
      return { kind: 'refused', words: wordsOf(outcome.refusal, currency, language) };
    case 'pending':
      return { kind: 'pending', movementId: outcome.movement.id };
    case 'unchanged':
      return { kind: 'proof_needed' };
    case 'made':
      return { kind: 'made', movementId: outcome.result };
  }
}
