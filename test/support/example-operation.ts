// GET /v1/merchant: the merchant of the key.
import * as Type from '../../src/schema/type.ts';
import { answerWith } from '../../src/server/answer.ts';
import { answers, operation } from '../../src/api/operation.ts';

const MerchantAnswer = Type.Object(
  { merchantNumber: Type.Integer(), name: Type.String(), live: Type.Boolean() },
  { title: 'Merchant' },
);

export const getMerchant = operation('getMerchant', 'GET /v1/merchant', 'read', {
  tag: 'Payments',
  summary: 'Get the merchant',
  description: 'The merchant of the key.',
  success: answers(200, 'The merchant.', MerchantAnswer, {
    'A test merchant': { merchantNumber: 100_001, name: 'Example shop', live: false },
  }),
  handler: ({ merchant: { id, name, live } }) => answerWith(200, { merchantNumber: id, name, live }),
});
