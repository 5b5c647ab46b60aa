// GET /v1/payments: a merchant's payments, newest first, page by page.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import * as Type from '../../../schema/type.ts';
import { readId } from '../../../domain/id.ts';
import type { Payment } from '../../../domain/payment.ts';
import { LIST_STATES } from '../../../domain/state.ts';
import type { ListState } from '../../../domain/state.ts';
import { nowOf } from '../../../payments/clock.ts';
import type { ListQuery } from '../../../store/lists/list.ts';
import { failure } from '../../../server/answer.ts';
import { NO_CODE, sendAnswer } from '../../../server/errors.ts';
import { readMoment } from '../../../server/formats.ts';
import { pageText, textsOf } from '../../list-page.ts';
import { badField } from '../../../server/problem.ts';
import { listInTurn } from '../../../server/costly-work.ts';
import type { ReadingContext } from '../../request.ts';
import { LIMIT_TEXT, readLimit, requireKnownFilters } from '../../../server/query.ts';
import { spendBytes } from '../../../server/rate-limit.ts';
import { dialectOf, presentationContextOf } from '../../request.ts';
import { merchantOf } from '../../../server/asker.ts';
import { Text } from '../../schemas/values.ts';

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

/** The service that existing clients were made for lists nothing: they tell by this answer that their key is taken. */
export const NOT_UNFILTERED = failure(
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

export function routeListPayments(app: FastifyInstance, context: ReadingContext): void {
  app.get(
    '/v1/payments',
    { schema: { operationId: 'listPayments', querystring: ListSchema } },
    async (request, reply) => {
      const isUnfiltered = Object.keys(request.query as object).length === 0;
      if (isUnfiltered && !dialectOf(request).listsUnfiltered)
        return sendAnswer(reply.header('allow', 'POST'), NOT_UNFILTERED);
      const query = readQuery(request);
      const { store, lifetimes } = context.payments;
      const body = await listInTurn(context.costly, request, reply, async () => {
        const { payments, bytes, cursor } = await store.list(query, nowOf(merchantOf(request)), lifetimes);
        const presentation = presentationContextOf(request, context);
        const present = (payment: Payment): string => JSON.stringify(dialectOf(request).payment(payment, presentation));
        const text = pageText('payments', await textsOf(payments, present), cursor);
        // A large payment can be short in a list; it was read whole all the same.
        spendBytes(request, Math.max(0, bytes - text.length));
        return text;
      });
      return sendAnswer(reply, { status: 200, body });
    },
  );
}
