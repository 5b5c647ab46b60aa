// GET /v1/charges/{chargeId}: one charge, unwrapped.
import { findCharge } from '../../domain/refund.ts';
import { nexi } from '../dialects/nexi.ts';
import { spec } from '../dialects/spec.ts';
import { charged, chargeMade, presentation } from '../openapi/story.ts';
import { answers, BAD_ID, operation } from '../operation.ts';
import { readMovement } from '../parts/read-movement.ts';
import { Charge } from '../schemas/movement.ts';

export const getCharge = operation('getCharge', 'GET /v1/charges/:chargeId', 'read', {
  tag: 'Moving money',
  summary: 'Get a charge',
  description: 'One charge, as it stands in `payment.charges`.',
  success: answers(
    200,
    'The charge.',
    Charge,
    { 'A charge': spec.charge(charged, chargeMade, presentation) },
    nexi.charge(charged, chargeMade, presentation),
  ),
  refused: [BAD_ID('chargeId')],
  handler: readMovement({
    idName: 'chargeId',
    find: findCharge,
    present: (dialect, ...shown) => dialect.charge(...shown),
  }),
});
