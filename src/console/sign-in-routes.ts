// Ways in and out of the console. No GET changes anything: an address that is opened shows a page, whose button acts.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { findPerson } from '../store/people.ts';
import { beginSession, endSessions, findLink, useLink } from '../store/sessions.ts';
import type { Origin } from '../store/sessions.ts';
import type { ConsoleContext } from './context.ts';
import { HIDDEN, rootOf, showPage } from './page-reply.ts';
import { renderLink, renderLostLink, renderSignIn } from './page/sign-in.ts';
import { clearSessionCookie, setSessionCookie } from './session-cookie.ts';
import { findVisitor } from './visitor.ts';

const originOf = ({ ip, headers }: FastifyRequest): Origin => ({ address: ip, agent: headers['user-agent'] ?? '' });

const secretIn = (request: FastifyRequest): string => (request.params as { secret: string }).secret;

export function routeSignIn(app: FastifyInstance, context: ConsoleContext): void {
  const { pool } = context.payments.store;
  const lost = (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
    showPage(request, reply, renderLostLink(rootOf(context)), 404);

  app.get('/console/sign-in', HIDDEN, async (request, reply) =>
    showPage(request, reply, renderSignIn(rootOf(context))),
  );

  app.get('/console/link/:secret', HIDDEN, async (request, reply) => {
    const secret = secretIn(request);
    const link = await findLink(pool, secret);
    const person = link && (await findPerson(pool, link.personId));
    if (person === undefined) return lost(request, reply);
    return showPage(request, reply, renderLink(rootOf(context), secret, person.email));
  });

  app.post('/console/link/:secret', HIDDEN, async (request, reply) => {
    const link = await useLink(pool, secretIn(request));
    if (link === undefined) return lost(request, reply);
    const session = await beginSession(pool, link.personId, 'link', originOf(request));
    setSessionCookie(reply, context.publicUrl(), session.secret);
    return reply.redirect(`${rootOf(context)}/console`, 303);
  });

  app.post('/console/sign-out', HIDDEN, async (request, reply) => {
    const visitor = await findVisitor(context, request);
    if (visitor) await endSessions(pool, visitor.person.id, { only: visitor.session.id });
    clearSessionCookie(reply, context.publicUrl());
    return reply.redirect(`${rootOf(context)}/console/sign-in`, 303);
  });
}
