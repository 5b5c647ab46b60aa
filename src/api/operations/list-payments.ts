// GET /v1/payments: a merchant's payments, newest first, page by page.
import type { FastifyRequest } from 'fastify';
import { readId } from '../../domain/id.ts';
import type { Payment } from '../../domain/payment.ts';
import { LIST_STATES } from '../../domain/state.ts';
import type { ListState } from '../../domain/state.ts';
import { Id } from '../../events/body-parts.ts';
import { nowOf } from '../../payments/clock.ts';
import * as Type from '../../schema/type.ts';
import { failure, NO_CODE } from '../../server/answer.ts';
import { merchantOf } from '../../server/asker.ts';
import { readMoment } from '../../server/formats.ts';
import { listInTurn } from '../../server/costly-work.ts';
import { badField } from '../../server/problem.ts';
import { LIMIT_SCHEMA, LIMIT_TEXT, readLimit, requireKnownFilters } from '../../server/query.ts';
import { spendBytes } from '../../server/rate-limit.ts';
import type { ListQuery } from '../../store/lists/list.ts';
import { nexi } from '../dialects/nexi.ts';
import { spec } from '../dialects/spec.ts';
import { pageText, textsOf } from '../list-page.ts';
import { IDS, presentation, refunded, reserved } from '../openapi/story.ts';
import { answers, bodyOf, operation, problem } from '../operation.ts';
import { dialectOf, presentationContextOf } from '../request.ts';
import { PaymentSchema } from '../schemas/payment.ts';
import { Text } from '../schemas/values.ts';

const ListSchema = Type.Object({
  reference: Type.Optional(Text(128, 'Only payments with this order reference.')),
  state: Type.Optional(
    Type.String({ enum: [...LIST_STATES], description: 'Only payments to which this has happened.' }),
  ),
  from: Type.Optional(Type.String({ format: 'moment', description: 'Created at this date or time, or later.' })),
  to: Type.Optional(Type.String({ format: 'moment', description: 'Created before this date or time.' })),
  limit: Type.Optional(Type.String({ description: LIMIT_TEXT })),
  cursor: Type.Optional(Type.String({ description: 'The cursor of the page before.' })),
});

/** The original service does not list payments; existing clients use its 405 to check that their key is accepted. */
const NOT_UNFILTERED = failure(
  405,
  NO_CODE,
  'GET is not allowed here without a filter, for example ?limit=20; allowed: POST.',
);

function readQuery(request: FastifyRequest): ListQuery {
  const query = request.query as Type.Static<typeof ListSchema>;
  requireKnownFilters(query, ListSchema);
  const after = query.cursor === undefined ? undefined : readId(query.cursor);
  if (query.cursor !== undefined && after === undefined)
    throw badField('cursor', 'must be a cursor of an earlier page');
  return {
    merchantId: merchantOf(request).id,
    limit: readLimit(query.limit),
    ...(query.reference !== undefined && { reference: query.reference }),
    ...(query.state !== undefined && { state: query.state as ListState }),
    ...(query.from !== undefined && { fromMs: readMoment(query.from) as number }),
    ...(query.to !== undefined && { toMs: readMoment(query.to) as number }),
    ...(after !== undefined && { after }),
  };
}

const PaymentList = Type.Object(
  {
    payments: Type.Array(PaymentSchema),
    cursor: Type.Optional(Id('Gives the next page; missing on the last one.')),
  },
  { title: 'PaymentList' },
);

export const listPayments = operation('listPayments', 'GET /v1/payments', 'read', {
  query: ListSchema,
  tag: 'Payments',
  summary: 'List payments',
  description:
    'Your payments, newest first, page by page. The order is stable: payments created meanwhile do not shift the ' +
    'pages. `state` asks for what has happened to a payment, so one that was charged and then refunded is found ' +
    'under both; such a page may have fewer payments than `limit`, or none, and a `cursor` all the same. In the ' +
    'dialect `nexi` it needs at least one parameter.',
  parameters: {
    reference: { example: 'order-1' },
    state: { example: 'charged' },
    from: { example: '2026-03-01' },
    to: { example: '2026-04-01T00:00:00Z' },
    limit: { schema: LIMIT_SCHEMA, example: 50 },
    cursor: { example: IDS.paymentId },
  },
  success: answers(
    200,
    'A page of payments.',
    PaymentList,
    {
      'The last page': { payments: [spec.payment(reserved, presentation)] },
      'A page that is followed by another': { payments: [spec.payment(refunded, presentation)], cursor: refunded.id },
    },
    { payments: [nexi.payment(reserved, presentation)] },
  ),
  refused: [
    problem('A limit out of range', 'limit', 'must be a whole number from 1 to 100'),
    { status: 405, summary: 'Without a parameter', value: bodyOf(NOT_UNFILTERED), onlyNexi: true },
  ],
  handler: async (request, context, reply) => {
    const isUnfiltered = Object.keys(request.query).length === 0;
    if (isUnfiltered && !dialectOf(request).listsUnfiltered) {
      reply.header('allow', 'POST');
      return NOT_UNFILTERED;
    }
    const query = readQuery(request);
    const { store, lifetimes } = context.payments;
    const body = await listInTurn(context.costly, request, reply, async () => {
      const { payments, bytes, cursor } = await store.list(query, nowOf(request.merchant), lifetimes);
      const shown = presentationContextOf(request, context);
      const present = (payment: Payment): string => JSON.stringify(dialectOf(request).payment(payment, shown));
      const text = pageText('payments', await textsOf(payments, present), cursor);
      // A large payment can be short in a list; it was read in full nonetheless.
      spendBytes(request, Math.max(0, bytes - text.length));
      return text;
    });
    return { status: 200, body };
  },
});
