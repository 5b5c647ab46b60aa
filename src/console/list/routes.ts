// The routes of the payments list: its page, live updates, exports and saved views.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import * as Type from '../../schema/type.ts';
import { nowOf } from '../../payments/clock.ts';
import { listForPeople } from '../../store/lists/listing/listing.ts';
import { listViews } from '../../store/people/saved-views.ts';
import { apiFor } from '../api-reply.ts';
import type { ConsoleContext } from '../context.ts';
import { demoOf, pageFor } from '../page-reply.ts';
import { routeExport } from './export.ts';
import { viewInTurn } from '../../server/costly-work.ts';
import type { Member } from '../visitor.ts';
import { renderPayments } from './page.ts';
import { queryOf, readAddress } from './query.ts';
import { ownerOf, routeViews } from './views.ts';

const PAGE_ROWS = 50;

const NewestSchema = Type.Object(
  { ids: Type.Array(Type.String({ description: 'A payment of the first page, in its order.' })) },
  { title: 'NewestPayments' },
);

export function routePaymentList(app: FastifyInstance, context: ConsoleContext): void {
  const { store, lifetimes } = context.payments;
  const listFor = ({ merchant, language }: Member, request: FastifyRequest) => {
    const { address, faults } = readAddress(request.query);
    const page = viewInTurn(context.costly, request, merchant.id, () =>
      listForPeople(store.pool, queryOf(merchant.id, address, PAGE_ROWS, language), nowOf(merchant), lifetimes),
    );
    return { address, faults, page };
  };

  app.get(
    '/console/:merchantId/payments',
    pageFor(context, 'read', async (place, request) => {
      const { page, ...shown } = listFor(place.member, request);
      const [listed, views] = await Promise.all([page, listViews(store.pool, ownerOf(place.member))]);
      return renderPayments(place, { ...shown, page: listed, views, ...demoOf(context, place) });
    }),
  );

  // Not those that are newer than one: clocks of processes differ, so a payment may come in below the newest.
  app.get(
    '/console/api/:merchantId/payments/newest',
    { schema: { response: { 200: NewestSchema } } },
    apiFor(context, 'read', async (member, request) => {
      const { payments } = await listFor(member, request).page;
      return { ids: payments.map(({ id }) => id) };
    }),
  );

  routeExport(app, context);
  routeViews(app, context);
}
