// The route of the overview; its period and currency are in the URL.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { readCurrency } from '../../domain/currency.ts';
import { nowOf } from '../../payments/clock.ts';
import { findAttention } from '../../store/lists/attention.ts';
import { readFigures } from '../../store/books/figures/read.ts';
import type { ConsoleContext } from '../context.ts';
import { demoOf, pageFor } from '../page-reply.ts';
import { viewInTurn } from '../../server/costly-work.ts';
import { renderOverview } from './page.ts';
import { currenciesOf, daysBetween, summarize } from './summary.ts';
import { PERIODS } from './view.ts';
import type { Period } from './view.ts';

const USUAL_PERIOD = 30;
const USUAL_CURRENCY = 'SEK';
const DAY_MS = 86_400_000;

function wantedOf({ query }: FastifyRequest): { readonly period: Period; readonly currency: string | undefined } {
  const { days, currency } = query as Readonly<Record<string, unknown>>;
  return {
    period: PERIODS.find((period) => String(period) === days) ?? USUAL_PERIOD,
    currency: typeof currency === 'string' ? readCurrency(currency) : undefined,
  };
}

export function routeOverview(app: FastifyInstance, context: ConsoleContext): void {
  const { store, lifetimes } = context.payments;
  app.get(
    '/console/:merchantId/overview',
    pageFor(context, 'read', async (place, request) => {
      const { merchant } = place.member;
      const wanted = wantedOf(request);
      const [to, from] = [0, wanted.period - 1].map((days) =>
        new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10),
      ) as [string, string];
      const [{ figures, isBehind }, attention] = await viewInTurn(context.costly, request, merchant.id, async () => [
        await readFigures(store.pool, { merchant, from, to }),
        await findAttention(store.pool, merchant, nowOf(merchant), lifetimes.reservationMs),
      ]);
      const found = currenciesOf(figures);
      const currency = wanted.currency ?? found[0] ?? USUAL_CURRENCY;
      return renderOverview(place, {
        period: wanted.period,
        currency,
        currencies: [...new Set([...found, currency])].toSorted(),
        summary: summarize(figures, currency, daysBetween(from, to)),
        attention,
        isBehind,
        ...demoOf(context, place),
      });
    }),
  );
}
