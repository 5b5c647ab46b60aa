// The page of the audit, for admins. Everything that it shows is in its address.
import type { FastifyInstance } from 'fastify';
import { ACTIONS } from '../../domain/audit.ts';
import type { Action } from '../../domain/audit.ts';
import { listAudit } from '../../store/audit/audit.ts';
import { listPeople } from '../../store/people/people.ts';
import type { ConsoleContext } from '../context.ts';
import { pageFor } from '../page-reply.ts';
import { renderAudit } from './page.ts';
import type { AuditFilter } from './page.ts';

const PAGE_ROWS = 50;

type Query = Readonly<Record<string, unknown>>;

const textIn = (query: Query, name: string): string | undefined =>
  typeof query[name] === 'string' && query[name] !== '' ? query[name] : undefined;

const isAction = (text: string): text is Action => (ACTIONS as readonly string[]).includes(text);

function readFilter(query: Query): AuditFilter {
  const [action, actor] = [textIn(query, 'action'), textIn(query, 'actor')];
  return { ...(action !== undefined && isAction(action) && { action }), ...(actor !== undefined && { actor }) };
}

/** The number that a page goes on before; what is none counts as left out. */
function readBefore(query: Query): number | undefined {
  const text = textIn(query, 'before');
  return text !== undefined && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}

export function routeAudit(app: FastifyInstance, context: ConsoleContext): void {
  const { pool } = context.payments.store;
  app.get(
    '/console/:merchantId/audit',
    pageFor(context, 'administer', async (place, request) => {
      const { merchant } = place.member;
      const filter = readFilter(request.query as Query);
      const before = readBefore(request.query as Query);
      const found = await listAudit(pool, merchant, {
        // One more than is shown tells whether there is a next page.
        limit: PAGE_ROWS + 1,
        ...(before !== undefined && { before }),
        ...(filter.action && { action: filter.action }),
        ...(filter.actor !== undefined && { actorId: filter.actor }),
      });
      const records = found.slice(0, PAGE_ROWS);
      const last = records.at(-1);
      const people = (await listPeople(pool, merchant.id)).map(({ id, email }) => ({ id, name: email }));
      return renderAudit(place, {
        records,
        filter,
        people,
        isFirst: before === undefined,
        ...(found.length > PAGE_ROWS && last && { next: last.number }),
      });
    }),
  );
}
