// Where a person shows that it is still them, before an act that asks for it.
import { html } from '../../pages/html.ts';
import { renderOwnPage } from './account.ts';
import type { Account } from './account.ts';
import { codeField, passkeyButton, providerLink } from './sign-in.ts';

export function renderProve(account: Account, next: string, problem?: string): string {
  const { root, visitor, passkeys, password, origin } = account;
  const { oidc, onlyOidc } = account.signIn;
  const hasPasskey = !onlyOidc && passkeys.length > 0 && origin !== undefined;
  const hasCode = !onlyOidc && password !== undefined;
  const byLink = html`<p>Sign in anew with a link, which is a proof. Whoever runs this Kassa makes it with</p>
    <pre><code>npx kassa user link ${visitor.person.email}</code></pre>`;
  const content = html`<section class="panel prove">
    <p>What you want to do asks for a proof of the last ten minutes.</p>
    ${problem !== undefined && html`<p class="notice bad" role="alert">${problem}</p>`}
    ${hasPasskey && passkeyButton({ origin, what: 'prove', next, label: 'Use a passkey' })}
    ${
      hasCode &&
      html`<form class="stack" method="post" action="${root}/console/prove">
        <input type="hidden" name="next" value="${next}" />
        ${codeField()}
        <button class="${hasPasskey ? '' : 'primary'}">Use this code</button>
      </form>`
    }
    ${oidc !== undefined && providerLink(root, next, 'Sign in again with your company', true)}
    ${!hasPasskey && !hasCode && oidc === undefined && byLink}
  </section>`;
  return renderOwnPage(account, 'Is it still you?', 'prove', content);
}
