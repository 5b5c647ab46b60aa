// The pages outside: signing in by a link, and what is told when that cannot be.
import { html } from '../../pages/html.ts';
import { renderOutside } from './outside.ts';

/** The script presses the button: opening the address alone does nothing, so that nobody's preview uses the link up. */
export const renderLink = (root: string, secret: string, email: string): string =>
  renderOutside(
    root,
    'Sign in',
    'link',
    html`<form method="post" action="${root}/console/link/${secret}">
      <p>As <strong>${email}</strong></p>
      <button class="primary">Sign in</button>
    </form>`,
  );

export const renderLostLink = (root: string): string =>
  renderOutside(
    root,
    'This link is used up',
    'lost-link',
    html`<p>
        A link lets somebody in once, and for some days. Ask for another one; whoever runs this Kassa makes it with
      </p>
      <pre><code>npx kassa user link EMAIL</code></pre>`,
  );

export const renderSignIn = (root: string): string =>
  renderOutside(
    root,
    'Sign in',
    'sign-in',
    html`<p>Open the link that you were given. Whoever runs this Kassa makes one with</p>
      <pre><code>npx kassa user link EMAIL</code></pre>`,
  );

export const renderNotHere = (root: string): string =>
  renderOutside(
    root,
    'Nothing here',
    'not-here',
    html`<p>There is no such page, or it is not yours to see.</p>
      <p><a class="button" href="${root}/console">To the console</a></p>`,
  );
