// The pages of charge, refund and cancel, and their one form: sent the first time it is answered with what will happen, and
// sent again with that amount as `sure` it is done. The key is made when the form is opened and goes along to the end.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AcquirerAway } from '../../acquirers/circuit-breaker.ts';
import { exponentOf } from '../../domain/currency.ts';
import { linesLeftOfCharge, linesLeftOfOrder } from '../../domain/item-ledger.ts';
import { leftOfCharge } from '../../domain/movement.ts';
import type { Payment } from '../../domain/payment.ts';
import { findCharge } from '../../domain/refund.ts';
import type { Move } from '../../merchants/payment-actions.ts';
import { nowOf } from '../../payments/clock.ts';
import { logFailure } from '../../server/errors.ts';
import { Overloaded } from '../../store/connections/group.ts';
import { DatabaseAway } from '../../store/connections/pool.ts';
import { localeOf } from '../../pages/language.ts';
import { readItems } from '../../api/sum-rule.ts';
import { choose } from '../../../web/shared/act-choice.ts';
import type { ActKind } from '../../../web/shared/act-words.ts';
import type { ConsoleContext } from '../context.ts';
import { FORM_BYTES, showPage } from '../page-reply.ts';
import type { Place } from '../page/frame.ts';
import { paymentPath } from '../page/frame.ts';
import { fieldsOf } from '../form.ts';
import { proveAndSend } from '../kept-form.ts';
import { consoleTexts, fill } from '../texts.ts';
import { act, isActKey, newActKey } from './act.ts';
import { pathOf, renderAct, renderChoice, renderSure, showerFor } from './act-page.ts';
import type { ActView } from './act-page.ts';
import { notHere } from './other-acts.ts';
import { drawable, refundable } from './possible.ts';
import { actFor } from './find.ts';

// A thousand lines, each with the longest quantity.
const MOST_BYTES = 2 * FORM_BYTES;
const HIGHEST_AMOUNT = 1_000_000_000_000;

type Fields = Readonly<Record<string, string>>;

/** A whole number that a form has hidden. */
function readHidden(text: string | undefined): number | undefined {
  const number = /^\d{1,13}$/.test(text ?? '') ? Number(text) : 0;
  return number >= 1 && number <= HIGHEST_AMOUNT ? number : undefined;
}

/**
 * What an act can take from, as it was when the form was opened: the same form asks for the same again. Undefined when it
 * names a charge that is not there, or has to name one of several.
 */
function viewOf(
  { payments }: ConsoleContext,
  { member }: Place,
  request: FastifyRequest,
  kind: ActKind,
  payment: Payment,
  fields: Fields,
): ActView | undefined {
  const { charge: chargeId } = request.query as { charge?: unknown };
  const [only, ...others] = refundable(payment);
  const named = typeof chargeId === 'string' ? findCharge(payment, chargeId) : others.length === 0 ? only : undefined;
  const charge = kind === 'refund' ? named : undefined;
  if (kind === 'refund' && charge === undefined) return undefined;
  const seen = readHidden(fields['seen']) ?? payment.movements.length;
  const asSeen = { ...payment, movements: payment.movements.slice(0, seen) };
  const lines = charge ? linesLeftOfCharge(asSeen, charge) : linesLeftOfOrder(asSeen);
  const left = charge ? leftOfCharge(charge) : drawable(payment, nowOf(member.merchant), payments.lifetimes);
  const { currency } = payment.order;
  return {
    kind,
    payment,
    ...(charge && { charge }),
    currency,
    decimals: exponentOf(currency),
    left: readHidden(fields['whole']) ?? left,
    lines: lines.map((line, index) => ({ ...line, field: `q${index}` })).filter((line) => line.left.quantity > 0),
    key: isActKey(fields['key']) ? fields['key'] : newActKey(),
    seen,
    fields,
  };
}

/**
 * Does it, and leads to the payment, which shows what came of it; a refusal is shown on the form, with a new key. Without
 * a choice it only looks for what came of it before; undefined where it was not done yet.
 */
async function finish(
  context: ConsoleContext,
  place: Place,
  request: FastifyRequest,
  reply: FastifyReply,
  view: ActView,
  sure: number,
  choice: Move['choice'],
): Promise<FastifyReply | undefined> {
  const { kind, payment, charge, fields } = view;
  const texts = consoleTexts(place.member.language).acts;
  const asked = { kind, payment, choice, fields, ...(charge && { chargeId: charge.id }) };
  const outcome = await act(context, place.member, request, asked).catch((error: unknown) => {
    if (error instanceof AcquirerAway || error instanceof DatabaseAway || error instanceof Overloaded) return error;
    throw error;
  });
  if (outcome instanceof AcquirerAway) {
    const words = { message: fill(texts.acquirerAway, { acquirer: outcome.acquirer }) };
    return showPage(request, reply, renderAct(place, { ...view, words }), 503);
  }
  if (outcome instanceof Error) {
    logFailure(request, outcome);
    return showPage(request, reply, renderSure(place, { ...view, words: { message: texts.lost } }, sure), 503);
  }
  const path = paymentPath(place, payment.id);
  switch (outcome.kind) {
    case 'made':
    case 'pending':
      return reply.redirect(outcome.movementId === undefined ? path : `${path}?did=${outcome.movementId}`, 303);
    case 'proof_needed':
      await proveAndSend(context, place.member, request, reply, pathOf(place, view));
      return reply;
    case 'key_is_new':
      return undefined;
    case 'not_found':
      return notHere(place, request, reply);
    case 'other_act':
    case 'refused': {
      const { key: _key, whole: _whole, seen: _seen, ...typed } = fields;
      const anew = viewOf(context, place, request, kind, payment, typed) ?? view;
      const words = outcome.kind === 'refused' ? outcome.words : { message: texts.otherAmount };
      return showPage(request, reply, renderAct(place, { ...anew, words }), 422);
    }
  }
}

export function routeActs(app: FastifyInstance, context: ConsoleContext): void {
  for (const kind of ['charge', 'cancel', 'refund'] as const) {
    const path = `/console/:merchantId/payments/:paymentId/${kind}`;
    app.get(
      path,
      actFor(context, 'move money', async (place, payment, request) => {
        const view = viewOf(context, place, request, kind, payment, {});
        return view ? renderAct(place, view) : renderChoice(place, payment, refundable(payment));
      }),
    );
    app.post(
      path,
      { bodyLimit: MOST_BYTES },
      actFor(context, 'move money', async (place, payment, request, reply) => {
        const fields = fieldsOf(request);
        const view = viewOf(context, place, request, kind, payment, fields);
        if (view === undefined) return notHere(place, request, reply);
        if (fields['back'] !== undefined) return renderAct(place, view);
        const { language } = place.member;
        const { wrong: texts } = consoleTexts(language).acts;
        const chosen = choose(fields, view, { texts, locale: localeOf(language), show: showerFor(place, payment) });
        const sure = isActKey(fields['key']) ? readHidden(fields['sure']) : undefined;
        if (sure !== undefined) {
          // What was done by this form is found also where it would come to something else by now.
          const isSure = 'amount' in chosen && chosen.amount === sure;
          const choice = isSure ? { amount: sure, items: readItems(chosen.items) } : undefined;
          const answered = await finish(context, place, request, reply, view, sure, choice);
          if (answered) return answered;
        }
        if (view.left === 0) return showPage(request, reply, renderAct(place, view), 422);
        if ('message' in chosen) return showPage(request, reply, renderAct(place, { ...view, words: chosen }), 422);
        return renderSure(place, view, chosen.amount);
      }),
    );
  }
}
