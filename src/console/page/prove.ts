// Where a person shows that it is still them, before an act that asks for it.
import { html } from '../../pages/html.ts';
import type { Account } from './account.ts';
import { renderOwnPage } from './account.ts';

export function renderProve(account: Account): string {
  const content = html`<section class="panel">
    <p>
      What you want to do asks for a proof of the last ten minutes. Sign in anew with a link, which is one. Whoever runs
      this Kassa makes it with
    </p>
    <pre><code>npx kassa user link ${account.visitor.person.email}</code></pre>
  </section>`;
  return renderOwnPage(account, 'Is it still you?', 'prove', content);
}
