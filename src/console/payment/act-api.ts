// POST /console/api/{merchantId}/payments/{paymentId}/charges, …/cancels and …/charges/{chargeId}/refunds: bodies as v1
// takes them, an Idempotency-Key that the page was given, and refusals in plain words.
import type { FastifyInstance, FastifyReply } from 'fastify';
import * as Type from '../../schema/type.ts';
import { findCharge } from '../../domain/refund.ts';
import { LARGEST_BODY_BYTES } from '../../server/body.ts';
import { badField } from '../../server/problem.ts';
import { MovedItems } from '../../api/schemas/item.ts';
import { Amount } from '../../api/schemas/values.ts';
import { readItems, requireSum } from '../../api/sum-rule.ts';
import type { ActKind } from '../../../web/shared/act-words.ts';
import { apiFor, notHere, requireVisitor, sendJson } from '../api-reply.ts';
import type { ConsoleContext } from '../context.ts';
import { askForProof } from '../proof.ts';
import { consoleTexts } from '../texts.ts';
import type { Member } from '../visitor.ts';
import { act, isActKey } from './act.ts';
import type { ActOutcome } from './act.ts';
import { findPayment, idIn } from './find.ts';

const ActSchema = Type.Object(
  { amount: Amount, orderItems: Type.Optional(MovedItems) },
  { title: 'ActRequest', additionalProperties: false },
);

const DoneSchema = Type.Object(
  { movementId: Type.Optional(Type.String({ description: 'Left out while it is not known yet.' })) },
  { title: 'ActDone' },
);
const RefusedSchema = Type.Object(
  {
    message: Type.String(),
    field: Type.Optional(Type.String({ enum: ['amount', 'items', 'card'], description: 'What it is about.' })),
  },
  { title: 'ActRefused' },
);

function sendOutcome(member: Member, reply: FastifyReply, outcome: ActOutcome): FastifyReply {
  switch (outcome.kind) {
    case 'made':
      return sendJson(reply, 201, { movementId: outcome.movementId });
    case 'pending':
      return sendJson(reply, 202, outcome.movementId === undefined ? {} : { movementId: outcome.movementId });
    case 'refused':
      return sendJson(reply, 422, outcome.words);
    case 'not_found':
      return sendJson(reply, 404, notHere(member));
    case 'proof_needed':
      return askForProof(member, reply);
    case 'other_act':
      return sendJson(reply, 409, { message: consoleTexts(member.language).acts.otherAct });
  }
}

const PATHS: Readonly<Record<ActKind, string>> = {
  charge: 'charges',
  cancel: 'cancels',
  refund: 'charges/:chargeId/refunds',
};

export function routeActApi(app: FastifyInstance, context: ConsoleContext): void {
  const schema = {
    body: ActSchema,
    response: { 201: DoneSchema, 202: DoneSchema, 422: RefusedSchema },
  };
  for (const kind of ['charge', 'cancel', 'refund'] as const)
    app.post(
      `/console/api/:merchantId/payments/:paymentId/${PATHS[kind]}`,
      { schema, bodyLimit: LARGEST_BODY_BYTES, onRequest: requireVisitor(context) },
      apiFor(context, 'move money', async (member, request, reply) => {
        const { amount, orderItems } = request.body as Type.Static<typeof ActSchema>;
        const key = request.headers['idempotency-key'];
        if (!isActKey(key)) throw badField('Idempotency-Key', 'must be one that a form of the console was given');
        const items = readItems(orderItems);
        if (items.length > 0) requireSum('amount', amount, items);
        const payment = await findPayment(context, member, request);
        const charge = payment && kind === 'refund' ? findCharge(payment, idIn(request, 'chargeId') ?? '') : undefined;
        if (!payment || (kind === 'refund' && !charge)) return sendJson(reply, 404, notHere(member));
        const asked = { kind, payment, amount, items, key, ...(charge && { chargeId: charge.id }) };
        return sendOutcome(member, reply, await act(context, member, request, asked));
      }),
    );
}
