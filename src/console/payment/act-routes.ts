// The pages of charge, refund and cancel, and their forms, which work without a script: the first step says what will
// happen, the second does it. The key is made when the form is opened and goes along to the end.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AcquirerAway } from '../../acquirers/circuit-breaker.ts';
import { exponentOf } from '../../domain/currency.ts';
import { linesLeftOfCharge, linesLeftOfOrder } from '../../domain/item-ledger.ts';
import { leftOfCharge } from '../../domain/movement.ts';
import type { Payment } from '../../domain/payment.ts';
import { findCharge } from '../../domain/refund.ts';
import { nowOf } from '../../payments/clock.ts';
import type { Language } from '../../pages/language.ts';
import { parseAmount } from '../../../web/shared/amount.ts';
import type { ActKind } from '../../../web/shared/act-words.ts';
import type { ConsoleContext } from '../context.ts';
import { showPlain } from '../page/money.ts';
import { HIDDEN, showPage } from '../page-reply.ts';
import type { Place } from '../page/frame.ts';
import { renderNotHere } from '../page/not-here.ts';
import { fieldsOf } from '../form.ts';
import { proveFirst } from '../proof.ts';
import { consoleTexts, fill } from '../texts.ts';
import { act, isActKey, newActKey } from './act.ts';
import { pathOf, renderAct, renderChoice, renderSure } from './act-page.ts';
import type { ActView } from './act-page.ts';
import { actFor } from './act-reply.ts';
import { paymentPath } from './path.ts';
import { drawable, refundable } from './possible.ts';
import type { Words } from './refusal-words.ts';

type Form = Readonly<Partial<Record<'key' | 'mode' | 'whole' | 'amount' | 'sure', string>>>;

const HIGHEST_AMOUNT = 1_000_000_000_000;

const nothingLeft = (language: Language): Words => ({ message: consoleTexts(language).acts.nothingLeft });

/** What an act can take from; undefined when it names a charge that is not there, or has to name one of several. */
function viewOf(
  { payments }: ConsoleContext,
  { member }: Place,
  request: FastifyRequest,
  kind: ActKind,
  payment: Payment,
  key: string,
): ActView | undefined {
  if (kind !== 'refund') {
    const left = drawable(payment, nowOf(member.merchant), payments.lifetimes);
    return { kind, payment, left, lines: linesLeftOfOrder(payment), key };
  }
  const { charge: chargeId } = request.query as { charge?: unknown };
  const [only, ...others] = refundable(payment);
  const charge = typeof chargeId === 'string' ? findCharge(payment, chargeId) : others.length === 0 ? only : undefined;
  return (
    charge && { kind, payment, charge, left: leftOfCharge(charge), lines: linesLeftOfCharge(payment, charge), key }
  );
}

/** A whole number of minor units as a form has it hidden. */
function readMinor(text: string | undefined): number | undefined {
  const amount = /^\d{1,13}$/.test(text ?? '') ? Number(text) : 0;
  return amount >= 1 && amount <= HIGHEST_AMOUNT ? amount : undefined;
}

function readAmount({ mode, whole, amount = '' }: Form, currency: string, language: Language): number | Words {
  if (mode === 'whole') return readMinor(whole) ?? nothingLeft(language);
  const decimals = exponentOf(currency);
  const typed = parseAmount(amount, decimals);
  if (typed !== undefined && typed >= 1 && typed <= HIGHEST_AMOUNT) return typed;
  const half = decimals > 0 ? 5 * 10 ** (decimals - 1) : 0;
  const example = showPlain(12 * 10 ** decimals + half, currency, language);
  return { message: fill(consoleTexts(language).acts.badAmount, { currency, example }), field: 'amount' };
}

/** Does it, and leads to the payment, which shows what came of it; a refusal is told on the form, with a new key. */
async function finish(
  context: ConsoleContext,
  place: Place,
  request: FastifyRequest,
  reply: FastifyReply,
  view: ActView,
  amount: number,
): Promise<FastifyReply> {
  const { kind, payment, charge, key } = view;
  const texts = consoleTexts(place.member.language).acts;
  const asked = { kind, payment, amount, items: [], key, ...(charge && { chargeId: charge.id }) };
  const outcome = await act(context, place.member, request, asked).catch((error: unknown) => {
    if (error instanceof AcquirerAway) return error;
    throw error;
  });
  if (outcome instanceof AcquirerAway) {
    const words = { message: fill(texts.acquirerAway, { acquirer: outcome.acquirer }) };
    return showPage(request, reply, renderAct(place, { ...view, words }), 503);
  }
  const path = paymentPath(place, payment.id);
  switch (outcome.kind) {
    case 'made':
    case 'pending':
      return reply.redirect(outcome.movementId === undefined ? path : `${path}?did=${outcome.movementId}`, 303);
    case 'proof_needed':
      // What was typed comes back with the page, and the key with it.
      return proveFirst(place.root, `${pathOf(place, view)}${view.charge ? '&' : '?'}key=${key}&sure=${amount}`, reply);
    case 'not_found':
      return showPage(request, reply, renderNotHere(place), 404);
    case 'other_act':
    case 'refused': {
      const used: Words = { message: texts.otherAmount };
      const words = outcome.kind === 'refused' ? outcome.words : used;
      return showPage(request, reply, renderAct(place, { ...view, key: newActKey(), words }), 422);
    }
  }
}

export function routeActs(app: FastifyInstance, context: ConsoleContext): void {
  for (const kind of ['charge', 'cancel', 'refund'] as const) {
    const path = `/console/:merchantId/payments/:paymentId/${kind}`;
    app.get(
      path,
      HIDDEN,
      actFor(context, 'move money', async (place, payment, request) => {
        // Who comes back from a proof goes on with what they had; opening it does nothing.
        const { key, sure } = request.query as Form;
        const view = viewOf(context, place, request, kind, payment, isActKey(key) ? key : newActKey());
        if (view === undefined) return renderChoice(place, payment, refundable(payment));
        const amount = isActKey(key) ? readMinor(sure) : undefined;
        if (amount !== undefined) return renderSure(place, view, amount);
        return renderAct(place, view.left > 0 ? view : { ...view, words: nothingLeft(place.member.language) });
      }),
    );
    app.post(
      path,
      HIDDEN,
      actFor(context, 'move money', async (place, payment, request, reply) => {
        const form: Form = fieldsOf(request);
        const view = viewOf(context, place, request, kind, payment, isActKey(form.key) ? form.key : newActKey());
        if (view === undefined) return showPage(request, reply, renderNotHere(place), 404);
        const sure = isActKey(form.key) ? readMinor(form.sure) : undefined;
        if (sure !== undefined) return finish(context, place, request, reply, view, sure);
        const amount = readAmount(form, payment.order.currency, place.member.language);
        if (typeof amount === 'number') return renderSure(place, view, amount);
        const typed = form.mode === 'whole' ? {} : { typed: form.amount ?? '' };
        return showPage(request, reply, renderAct(place, { ...view, words: amount, ...typed }), 422);
      }),
    );
  }
}
