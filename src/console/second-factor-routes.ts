// The one page of who came in by a link alone where a merchant of theirs asks for a second factor: it leads to registering
// one, or to one that they have.
import type { FastifyInstance } from 'fastify';
import { accountOf } from './account.ts';
import { rootOf } from './context.ts';
import type { ConsoleContext } from './context.ts';
import { pageForVisitor, SECOND_FACTOR } from './page-reply.ts';
import { renderSecondFactor } from './page/second-factor.ts';
import { ownPath } from './proof.ts';

export function routeSecondFactor(app: FastifyInstance, context: ConsoleContext): void {
  app.get(
    SECOND_FACTOR,
    pageForVisitor(
      context,
      async (visitor, request, reply) => {
        const next = ownPath(rootOf(context), (request.query as { next?: unknown }).next);
        if (!visitor.isWeak) return reply.redirect(next, 303);
        return renderSecondFactor(await accountOf(context, visitor), next);
      },
      { whileWeak: true },
    ),
  );
}
