// A person's own pages, whatever the merchant: the account with its sessions, and the fresh proof.
import type { FastifyInstance } from 'fastify';
import { endSessions, listSessions } from '../store/sessions.ts';
import { apiForVisitor } from './api-reply.ts';
import type { ConsoleContext } from './context.ts';
import { HIDDEN, pageForVisitor, rootOf } from './page-reply.ts';
import { renderAccount } from './page/account.ts';
import type { Account } from './page/account.ts';
import { renderProve } from './page/prove.ts';
import { ownPath, requireProof } from './proof.ts';
import { findMember } from './visitor.ts';
import type { Visitor } from './visitor.ts';

/** The page of a person stands in the frame of the first of their merchants. */
async function accountOf(context: ConsoleContext, visitor: Visitor): Promise<Account> {
  const root = rootOf(context);
  const [first] = visitor.person.memberships;
  const member = first && (await findMember(context, visitor, String(first.merchantId)));
  return { root, visitor, place: member && { root, member } };
}

export function routeAccount(app: FastifyInstance, context: ConsoleContext): void {
  const { pool } = context.payments.store;
  const back = (): string => `${rootOf(context)}/console/account`;

  app.get(
    '/console/account',
    HIDDEN,
    pageForVisitor(context, async (visitor) =>
      renderAccount(await accountOf(context, visitor), await listSessions(pool, visitor.person.id)),
    ),
  );

  app.post(
    '/console/account/sessions/:sessionId/end',
    HIDDEN,
    pageForVisitor(context, async ({ person }, request, reply) => {
      await endSessions(pool, person.id, { only: (request.params as { sessionId: string }).sessionId });
      return reply.redirect(back(), 303);
    }),
  );

  app.post(
    '/console/account/sessions/end-others',
    HIDDEN,
    pageForVisitor(context, async ({ person, session }, _request, reply) => {
      await endSessions(pool, person.id, { allBut: session.id });
      return reply.redirect(back(), 303);
    }),
  );

  app.get(
    '/console/prove',
    HIDDEN,
    pageForVisitor(context, async (visitor, request, reply) => {
      const next = ownPath(rootOf(context), (request.query as { next?: unknown }).next);
      if (visitor.session.isProved) return reply.redirect(next, 303);
      return renderProve(await accountOf(context, visitor));
    }),
  );

  // A script asks before it shows a form that would be refused.
  app.get(
    '/console/api/account/proof',
    HIDDEN,
    apiForVisitor(context, async (visitor, _request, reply) => requireProof(visitor, reply) ?? { proved: true }),
  );
}
