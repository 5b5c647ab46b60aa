// The pages of a person that do not depend on a merchant: the account with its sessions, and confirming their identity.
import type { FastifyInstance } from 'fastify';
import { LANGUAGES } from '../pages/language.ts';
import { endOtherSessions, signOut } from '../merchants/sign-in.ts';
import { setLanguage } from '../store/people/people.ts';
import { listSessions, noteTold } from '../store/people/sessions.ts';
import { accountOf } from './account.ts';
import { apiForVisitor } from './api-reply.ts';
import { rootOf } from './context.ts';
import type { ConsoleContext } from './context.ts';
import { fieldOf } from './form.ts';
import { takeForm } from './kept-form.ts';
import { pageForVisitor, SECOND_FACTOR, showPage } from './page-reply.ts';
import { renderAccount } from './page/account.ts';
import { renderKeptForm, renderProve } from './page/prove.ts';
import { askedBy, onwardOf, ownPath, readAskedProof, requireProof } from './proof.ts';
import { actorOf } from './visitor.ts';
import { renewProof } from './sign-in/begin.ts';
import { rememberNext } from './sign-in/next-page.ts';
import { offerLater } from './sign-in/offer.ts';
import { proveWithCode } from './sign-in/password-sign-in.ts';
import { problemOf } from './sign-in/problem.ts';

function routeProof(app: FastifyInstance, context: ConsoleContext): void {
  app.get(
    '/console/prove',
    pageForVisitor(
      context,
      async (visitor, request, reply) => {
        const root = rootOf(context);
        const asked = readAskedProof(root, request.query);
        // Without a second factor, register one.
        if (visitor.isWeak && visitor.session.isProved && !visitor.person.hasWayIn)
          return reply.redirect(`${root}${SECOND_FACTOR}?next=${encodeURIComponent(onwardOf(root, asked))}`, 303);
        if (visitor.session.isProved && !visitor.isWeak) {
          const form = asked.form && (await takeForm(context, visitor, request, reply, asked.form));
          return form ? renderKeptForm(visitor.language, root, form) : reply.redirect(asked.next, 303);
        }
        // Without credentials, they must sign in with a link again.
        if (!visitor.person.hasWayIn) rememberNext(reply, context.publicUrl(), root, onwardOf(root, asked));
        return renderProve(await accountOf(context, visitor), asked);
      },
      { whileWeak: true },
    ),
  );

  app.post(
    '/console/prove',
    pageForVisitor(
      context,
      async (visitor, request, reply) => {
        const root = rootOf(context);
        const next = ownPath(root, fieldOf(request, 'next'));
        const asked = askedBy(root, next);
        if (context.signIn.onlyOidc) return renderProve(await accountOf(context, visitor), asked);
        const proved = await proveWithCode(context, request, visitor, fieldOf(request, 'code'));
        if (proved.kind === 'proved') {
          await renewProof(context, reply, visitor);
          return reply.redirect(next, 303);
        }
        const page = renderProve(await accountOf(context, visitor), asked, problemOf(proved, visitor.language));
        return showPage(request, reply, page, proved.kind === 'wait' ? 429 : 401);
      },
      { whileWeak: true },
    ),
  );

  // A script asks before it shows a form that would be refused.
  app.get(
    '/console/api/account/proof',
    apiForVisitor(context, async (visitor, _request, reply) => requireProof(visitor, reply) ?? { proved: true }),
  );
}

export function routeAccount(app: FastifyInstance, context: ConsoleContext): void {
  const { pool } = context.payments.store;
  const back = (): string => `${rootOf(context)}/console/account`;

  app.get(
    '/console/account',
    pageForVisitor(context, async (visitor) =>
      renderAccount(
        await accountOf(context, visitor),
        await listSessions(pool, visitor.person.id, context.signIn.idleMinutes),
      ),
    ),
  );

  app.post(
    '/console/account/language',
    pageForVisitor(context, async ({ person }, request, reply) => {
      const wanted = fieldOf(request, 'language');
      // Unknown values are ignored.
      const language = LANGUAGES.find((each) => each === wanted);
      await setLanguage(pool, person.id, language);
      return reply.redirect(back(), 303);
    }),
  );

  app.post(
    '/console/account/sessions/:sessionId/end',
    pageForVisitor(context, async (visitor, request, reply) => {
      await signOut(pool, actorOf(visitor), visitor, (request.params as { sessionId: string }).sessionId);
      return reply.redirect(back(), 303);
    }),
  );

  app.post(
    '/console/account/sessions/end-others',
    pageForVisitor(context, async (visitor, _request, reply) => {
      await endOtherSessions(pool, actorOf(visitor), visitor);
      return reply.redirect(back(), 303);
    }),
  );

  // A dismissed offer to register a credential is not repeated for a month.
  app.post(
    '/console/account/later',
    pageForVisitor(context, async (_visitor, request, reply) => {
      offerLater(reply, context.publicUrl());
      return reply.redirect(ownPath(rootOf(context), fieldOf(request, 'next')), 303);
    }),
  );

  // Only for this session: other sessions of this person still show the notice.
  app.post(
    '/console/account/recovery-seen',
    pageForVisitor(context, async ({ session }, request, reply) => {
      await noteTold(pool, session.id);
      return reply.redirect(ownPath(rootOf(context), fieldOf(request, 'next')), 303);
    }),
  );

  routeProof(app, context);
}
