// Sign-in and sign-out routes. GET requests change nothing: a link opens a page with a button.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isOfThisMachine } from '../server/this-machine.ts';
import { signOut } from '../merchants/sign-in.ts';
import { findPerson } from '../store/people/people.ts';
import { forgetIdleSession } from '../store/people/sessions.ts';
import type { Pool } from '../store/connections/pool.ts';
import { findLink, isLinkRequested, useLink } from '../store/people/sign-in-links.ts';
import { rootOf } from './context.ts';
import type { ConsoleContext } from './context.ts';
import { fieldOf } from './form.ts';
import { showPage } from './page-reply.ts';
import { renderLink, renderLostLink, renderSignIn, renderWaitingLink } from './page/sign-in.ts';
import { ownPath } from './proof.ts';
import { noteRefusedSignIn } from './refused.ts';
import { languageFor } from './texts.ts';
import { actorOf, findVisitor } from './visitor.ts';
import { letIn } from './sign-in/begin.ts';
import { readNext, rememberNext } from './sign-in/next-page.ts';
import { siteOf } from './sign-in/passkeys.ts';
import { signInWithPassword } from './sign-in/password-sign-in.ts';
import type { SignedIn } from './sign-in/password-sign-in.ts';
import { problemOf } from './sign-in/problem.ts';
import { clearSessionCookie, readSessionCookie } from './cookie.ts';

const secretIn = (request: FastifyRequest): string => (request.params as { secret: string }).secret;

const STATUS: Readonly<Record<Exclude<SignedIn['kind'], 'in'>, number>> = { wrong: 401, wait: 429, busy: 429 };

export function routeSignIn(app: FastifyInstance, context: ConsoleContext): void {
  const { pool } = context.payments.store;
  const door = { onRequest: context.signInLimit };
  const lost = (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    noteRefusedSignIn(context, request, { method: 'link', reason: 'wrong' });
    return showPage(request, reply, renderLostLink(languageFor(request), rootOf(context)), 404);
  };
  const signInPage = (request: FastifyRequest, next: unknown) => ({
    language: languageFor(request),
    root: rootOf(context),
    next: ownPath(rootOf(context), next),
    origin: siteOf(context)?.origin,
    signIn: context.signIn,
  });

  app.get('/console/sign-in', async (request, reply) => {
    const page = signInPage(request, (request.query as { next?: unknown }).next);
    rememberNext(reply, context.publicUrl(), page.root, page.next);
    const firstSignIn = await context.firstSignIn?.();
    // Do not reveal the data folder to remote visitors.
    const command = isOfThisMachine(request) ? firstSignIn?.command : undefined;
    const wayIn = firstSignIn && { firstSignIn: { ...firstSignIn, command: command ?? 'npx kassa' } };
    return showPage(request, reply, renderSignIn({ ...page, ...wayIn }));
  });

  app.post('/console/sign-in', async (request, reply) => {
    const page = signInPage(request, fieldOf(request, 'next'));
    // Single sign-on is required, whatever credentials a person has.
    if (context.signIn.onlyOidc) return showPage(request, reply, renderSignIn(page), 403);
    const [email, password, code] = ['email', 'password', 'code'].map((name) => fieldOf(request, name)) as [
      string,
      string,
      string,
    ];
    const signedIn = await signInWithPassword(context, request, reply, { email, password, code });
    if (signedIn.kind === 'in') return reply.redirect(page.next, 303);
    if (signedIn.kind !== 'wrong') reply.header('retry-after', signedIn.kind === 'wait' ? signedIn.seconds : 1);
    return showPage(
      request,
      reply,
      renderSignIn({ ...page, email, problem: problemOf(signedIn, page.language) }),
      STATUS[signedIn.kind],
    );
  });

  app.get('/console/link/:secret', door, async (request, reply) => {
    const secret = secretIn(request);
    const link = await findLink(pool, secret);
    const person = link && (await findPerson(pool, link.personId));
    // A signed-in person who opens a used link just continues.
    if (person === undefined && (await findVisitor(context, request)))
      return reply.redirect(`${rootOf(context)}/console`, 303);
    if (person === undefined && (await isLinkRequested(pool, secret)))
      return showPage(request, reply, renderWaitingLink(languageFor(request), rootOf(context)), 403);
    if (person === undefined) return lost(request, reply);
    return showPage(
      request,
      reply,
      renderLink(languageFor(request, person.language), rootOf(context), secret, person.email),
    );
  });

  app.post('/console/link/:secret', door, async (request, reply) => {
    const secret = secretIn(request);
    const link = await findLink(pool, secret);
    const take = (within: Pool): Promise<boolean> => useLink(within, secret);
    if (link === undefined || !(await letIn(context, request, reply, { ...link, method: 'link', take })))
      return lost(request, reply);
    return reply.redirect(readNext(request, context.publicUrl(), rootOf(context)), 303);
  });

  app.post('/console/sign-out', async (request, reply) => {
    const visitor = await findVisitor(context, request);
    if (visitor) await signOut(pool, actorOf(visitor), visitor, visitor.session.id);
    else await forgetIdleSession(pool, readSessionCookie(request, context.publicUrl()) ?? '');
    clearSessionCookie(reply, context.publicUrl());
    return reply.redirect(`${rootOf(context)}/console/sign-in`, 303);
  });
}
