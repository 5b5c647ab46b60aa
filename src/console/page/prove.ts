// Where a person shows that it is still them, before an act that asks for it.
import { html } from '../../pages/html.ts';
import { signInTexts } from '../languages/sign-in.ts';
import { renderOwnPage } from './account.ts';
import type { Account } from './account.ts';
import { codeField, passkeyButton, providerLink } from './sign-in.ts';

export function renderProve(account: Account, next: string, problem?: string): string {
  const { root, visitor, passkeys, password, origin } = account;
  const { oidc, onlyOidc } = account.signIn;
  const { language } = visitor;
  const texts = signInTexts(language);
  const hasPasskey = !onlyOidc && passkeys.length > 0 && origin !== undefined;
  const hasCode = !onlyOidc && password !== undefined;
  const byLink = html`<p>${texts.proofByLink}</p>
    <pre><code>npx kassa user link ${visitor.person.email}</code></pre>`;
  const content = html`<section class="panel prove">
    <p>${texts.proofNeeded}</p>
    ${problem !== undefined && html`<p class="notice bad" role="alert">${problem}</p>`}
    ${hasPasskey && passkeyButton(language, { origin, what: 'prove', next, label: texts.usePasskey })}
    ${
      hasCode &&
      html`<form class="stack" method="post" action="${root}/console/prove">
        <input type="hidden" name="next" value="${next}" />
        ${codeField(language)}
        <button class="${hasPasskey ? '' : 'primary'}">${texts.useCode}</button>
      </form>`
    }
    ${oidc !== undefined && providerLink(root, next, texts.companyAgain, true)}
    ${!hasPasskey && !hasCode && oidc === undefined && byLink}
  </section>`;
  return renderOwnPage(account, texts.stillYou, 'prove', content);
}
