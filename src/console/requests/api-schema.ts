// A request of the request log in the console's own API.
import * as Type from '../../schema/type.ts';
import type { LoggedBody } from '../../store/request-log/entry.ts';
import type { ListedRequest, WholeRequest } from '../../store/request-log/read.ts';

const ROW = {
  id: Type.String({ description: 'Its id in the log.' }),
  at: Type.String({ description: 'When it began.' }),
  requestId: Type.String({ description: 'X-Request-Id of its answer.' }),
  method: Type.String(),
  route: Type.String(),
  path: Type.String(),
  status: Type.Integer(),
  ms: Type.Number({ description: 'How long it took.' }),
  keyId: Type.String(),
  replayed: Type.Boolean({ description: 'Answered as an earlier request with its Idempotency-Key was.' }),
  paymentId: Type.Optional(Type.String()),
};

const BodySchema = Type.Object({
  text: Type.Optional(Type.String({ description: 'Masked, and perhaps not the whole of it.' })),
  bytes: Type.Integer({ description: 'How large it was.' }),
  cut: Type.Boolean(),
});

export const RequestsSchema = Type.Object(
  {
    requests: Type.Array(Type.Object(ROW)),
    omitted: Type.Integer({ description: 'How many requests of the time that the page shows were not kept.' }),
    next: Type.Optional(Type.String({ description: 'As before, it gives the next page.' })),
  },
  { title: 'Requests' },
);

export const RequestSchema = Type.Object(
  {
    ...ROW,
    address: Type.String(),
    idempotencyKey: Type.Optional(Type.String()),
    userAgent: Type.Optional(Type.String()),
    contentType: Type.Optional(Type.String()),
    request: BodySchema,
    answer: BodySchema,
  },
  { title: 'Request' },
);

export const rowOf = ({ at, durationMs, isReplayed, ...row }: ListedRequest) => ({
  ...row,
  at: new Date(at).toISOString(),
  ms: durationMs,
  replayed: isReplayed,
});

const bodyOf = ({ isCut, ...body }: LoggedBody) => ({ ...body, cut: isCut });

export const wholeOf = ({ request, answer, ...row }: WholeRequest) => ({
  ...rowOf(row),
  request: bodyOf(request),
  answer: bodyOf(answer),
});
