// GET /v1/paymentmethods: the payment methods of this merchant. The names of its filters are not case-sensitive, since
// clients of this API capitalize them.
import { readCurrency } from '../../domain/currency.ts';
import { isInCurrency, METHODS } from '../../domain/offered-methods.ts';
import { PAYMENT_TYPES } from '../../domain/payment.ts';
import * as Type from '../../schema/type.ts';
import { answerWith } from '../../server/answer.ts';
import { FORMAT_TEXTS } from '../../server/formats.ts';
import { badField } from '../../server/problem.ts';
import { answers, operation, problem } from '../operation.ts';

// The currencies of the countries whose shops use this API; the simulator accepts any other as well.
const CURRENCIES = ['DKK', 'EUR', 'GBP', 'NOK', 'SEK', 'USD'];

const FilterSchema = Type.Object({
  currency: Type.Optional(Type.String({ description: 'Only methods in this currency. Also spelled Currency.' })),
  enabled: Type.Optional(Type.String({ description: 'true or false: only those. Also spelled Enabled.' })),
});

/** A filter by its name in any case; an empty one is ignored. */
function filterNamed(query: unknown, name: keyof typeof FilterSchema.properties): string | undefined {
  const found = Object.entries(query as Record<string, unknown>).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof found === 'string' && found !== '' ? found : undefined;
}

function readCurrencies(query: unknown): readonly string[] {
  const asked = filterNamed(query, 'currency');
  if (asked === undefined) return CURRENCIES;
  const currency = asked.toUpperCase();
  if (readCurrency(currency) === undefined) throw badField('currency', FORMAT_TEXTS['currency'] as string);
  return [currency];
}

function readEnabled(query: unknown): boolean | undefined {
  const asked = filterNamed(query, 'enabled')?.toLowerCase();
  if (asked !== undefined && asked !== 'true' && asked !== 'false') throw badField('enabled', 'must be true or false');
  return asked === undefined ? undefined : asked === 'true';
}

export const listPaymentMethods = operation('listPaymentMethods', 'GET /v1/paymentmethods', 'read', {
  query: FilterSchema,
  tag: 'Payments',
  summary: 'List payment methods',
  description: 'With what your consumers can pay, for each currency.',
  success: answers(
    200,
    'The methods.',
    Type.Array(
      Type.Object(
        {
          name: Type.String(),
          paymentType: Type.String({ enum: [...PAYMENT_TYPES] }),
          currency: Type.String({ pattern: '^[A-Z]{3}$' }),
          enabled: Type.Boolean(),
        },
        { title: 'PaymentMethod' },
      ),
    ),
    {
      'A part of the list': [
        { name: 'Visa', paymentType: 'CARD', currency: 'SEK', enabled: true },
        { name: 'EasyInvoice', paymentType: 'INVOICE', currency: 'SEK', enabled: true },
      ],
    },
  ),
  refused: [problem('A currency that there is not', 'currency', FORMAT_TEXTS['currency'] as string)],
  handler: (request) => {
    const [currencies, wanted] = [readCurrencies(request.query), readEnabled(request.query)];
    // A live merchant has none until it is connected to its own acquirer.
    const enabled = !request.merchant.live;
    const methods = METHODS.flatMap((method) =>
      currencies
        .filter((currency) => isInCurrency(method, currency))
        .map((currency) => ({ name: method.name, paymentType: method.paymentType, currency, enabled })),
    );
    return answerWith(200, wanted === undefined || wanted === enabled ? methods : []);
  },
});
