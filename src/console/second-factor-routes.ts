// The one page of who came in by a link alone where a merchant of theirs asks for a second factor: it leads to registering
// one, or to one that they have.
import type { FastifyInstance } from 'fastify';
import { html } from '../pages/html.ts';
import type { Html } from '../pages/html.ts';
import { accountOf } from './account.ts';
import { rootOf } from './context.ts';
import type { ConsoleContext } from './context.ts';
import { pageForVisitor, SECOND_FACTOR } from './page-reply.ts';
import { ownPath } from './proof.ts';
import { consoleTexts, fillHtml } from './texts.ts';
import { addPasskey } from './page/account.ts';
import type { Account } from './page/account.ts';
import { renderOutside } from './page/outside.ts';
import { providerLink } from './page/sign-in.ts';

function ways(account: Account, next: string): Html {
  const { root, visitor, signIn } = account;
  const { language, person } = visitor;
  const texts = consoleTexts(language).signIn;
  if (signIn.onlyOidc)
    return html`<p>${texts.secondFactor.byCompany}</p>
      ${providerLink(root, next, texts.withCompany)}`;
  const own = html`<p>${texts.secondFactor.hasOne}</p>
    <a class="button" href="${root}/console/prove?next=${encodeURIComponent(next)}">${texts.secondFactor.useIt}</a>`;
  const { passkeys, passwordAndApp, setPassword } = consoleTexts(language).account;
  return html`<h2>${passkeys}</h2>
    ${addPasskey(account, next)}
    <h2>${passwordAndApp}</h2>
    <a class="button" href="${root}/console/account/password">${setPassword}</a>
    ${person.hasWayIn && own} ${signIn.oidc !== undefined && providerLink(root, next, texts.withCompany)}`;
}

function renderSecondFactor(account: Account, next: string): string {
  const { root, visitor } = account;
  const { language, person } = visitor;
  const texts = consoleTexts(language).signIn.secondFactor;
  const names = person.memberships.filter(({ secondFactor }) => secondFactor).map(({ merchantName }) => merchantName);
  const content = html`<p>${fillHtml(texts.needed, { merchant: html`<strong>${names.join(', ')}</strong>` })}</p>
    <p class="hint">${texts.nothingElse}</p>
    <section class="panel stack">${ways(account, next)}</section>
    <form method="post" action="${root}/console/sign-out">
      <button class="quiet">${consoleTexts(language).frame.signOut}</button>
    </form>`;
  return renderOutside(language, root, texts.title, 'second-factor', content);
}

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
