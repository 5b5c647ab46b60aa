// GET /v1/paymentmethods: with what a consumer of this merchant can pay. Its filters are spelled in any case, since clients
// of this API write them with a capital letter.
import type { FastifyInstance } from 'fastify';
import * as Type from '../../../schema/type.ts';
import { readCurrency } from '../../../domain/currency.ts';
import { isInCurrency, METHODS } from '../../../domain/offered-methods.ts';
import { answerWith } from '../../../server/answer.ts';
import { sendAnswer } from '../../../server/errors.ts';
import { FORMAT_TEXTS } from '../../../server/formats.ts';
import { badField } from '../../../server/problem.ts';
import { merchantOf } from '../../../server/asker.ts';

// The currencies of the countries whose shops use this API; the simulator takes any other as well.
const CURRENCIES = ['DKK', 'EUR', 'GBP', 'NOK', 'SEK', 'USD'];

const FilterSchema = Type.Object({
  currency: Type.Optional(Type.String({ description: 'Only methods in this currency. Also spelled Currency.' })),
  enabled: Type.Optional(Type.String({ description: 'true or false: only those. Also spelled Enabled.' })),
});

/** A filter by its name in whatever case; empty is none. */
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

export function routePaymentMethods(app: FastifyInstance): void {
  const schema = { operationId: 'listPaymentMethods', querystring: FilterSchema };
  app.get('/v1/paymentmethods', { schema }, async (request, reply) => {
    const [currencies, wanted] = [readCurrencies(request.query), readEnabled(request.query)];
    // A live merchant has none until an acquirer of its own is connected.
    const enabled = !merchantOf(request).live;
    const methods = METHODS.flatMap((method) =>
      currencies
        .filter((currency) => isInCurrency(method, currency))
        .map((currency) => ({ name: method.name, paymentType: method.paymentType, currency, enabled })),
    );
    return sendAnswer(reply, answerWith(200, wanted === undefined || wanted === enabled ? methods : []));
  });
}
