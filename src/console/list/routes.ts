// The list of payments: its page, and its exports.
import type { FastifyInstance } from 'fastify';
import { listForPeople } from '../../store/listing/listing.ts';
import type { ConsoleContext } from '../context.ts';
import { HIDDEN, pageFor } from '../page-reply.ts';
import { routeExport } from './export.ts';
import { renderPayments } from './page.ts';
import { queryOf, readAddress } from './query.ts';

const PAGE_ROWS = 50;

export function routePaymentList(app: FastifyInstance, context: ConsoleContext): void {
  const { store, lifetimes } = context.payments;
  routeExport(app, context);
  app.get(
    '/console/:merchantId/payments',
    HIDDEN,
    pageFor(context, 'read', async (place, request) => {
      const { address, faults } = readAddress(request.query);
      const query = queryOf(place.member.merchant.id, address, PAGE_ROWS);
      const page = await listForPeople(store.pool, query, Date.now(), lifetimes);
      return renderPayments(place, { address, faults, page });
    }),
  );
}
