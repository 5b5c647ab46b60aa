// GET /v1/refunds/{refundId}: one refund, unwrapped.
import { nexi } from '../dialects/nexi.ts';
import { spec } from '../dialects/spec.ts';
import { presentation, refunded, refundMade } from '../openapi/story.ts';
import { answers, BAD_ID, operation } from '../operation.ts';
import { readMovement } from '../parts/read-movement.ts';
import { Refund } from '../schemas/movement.ts';

export const getRefund = operation('getRefund', 'GET /v1/refunds/:refundId', 'read', {
  tag: 'Moving money',
  summary: 'Get a refund',
  description: 'One refund, as it stands in `payment.refunds`.',
  success: answers(
    200,
    'The refund.',
    Refund,
    { 'A refund': spec.refund(refunded, refundMade, presentation) },
    nexi.refund(refunded, refundMade, presentation),
  ),
  refused: [BAD_ID('refundId')],
  handler: readMovement({
    idName: 'refundId',
    find: ({ movements }, id) => movements.find((movement) => movement.id === id && movement.kind === 'refund'),
    present: (dialect, ...shown) => dialect.refund(...shown),
  }),
});
