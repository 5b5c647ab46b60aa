// The pages outside: signing in by a link, by a passkey, or by password and code; and what is told when that cannot be.
import type { SignInConfig } from '../../config/sign-in.ts';
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
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
      <pre><code>npx kassa user link EMAIL</code></pre>
      <p><a href="${root}/console/sign-in">Sign in another way</a></p>`,
  );

/** A button that a script shows where passkeys work; elsewhere it tells where they do. */
export function passkeyButton({ origin, what, next, label }: PasskeyButton): Html {
  return html`<div class="passkey">
    <button type="button" class="primary" data-passkey="${what}" data-origin="${origin}" data-next="${next}" hidden>
      ${label}
    </button>
    <p class="hint" data-passkey-elsewhere hidden>
      Passkeys work at <a href="${origin}${next}">${origin}</a>, not at this address.
    </p>
    <p class="notice bad" role="alert" data-passkey-error hidden></p>
  </div>`;
}

export type PasskeyButton = {
  /** Where passkeys work. */
  readonly origin: string;
  readonly what: 'sign-in' | 'prove' | 'add';
  /** Where to go on. */
  readonly next: string;
  readonly label: string;
};

/** It leads away from here, so it is no form: a policy of pages lets those go to ourselves alone. */
export const providerLink = (root: string, next: string, label: string, isProof = false): Html =>
  html`<a class="button primary" href="${root}/console/oidc?next=${encodeURIComponent(next)}${isProof ? '&prove=' : ''}"
    >${label}</a
  >`;

export const codeField = (): Html =>
  html`<div class="field">
    <label for="code">Code</label>
    <input
      id="code"
      name="code"
      autocomplete="one-time-code"
      autocapitalize="none"
      spellcheck="false"
      maxlength="40"
      required
      aria-describedby="code-hint"
    />
    <p class="hint" id="code-hint">Six digits of your authenticator app, or a recovery code.</p>
  </div>`;

export type SignIn = {
  readonly root: string;
  /** Whether there is a provider, and nothing else. */
  readonly signIn: SignInConfig;
  /** A path of the console. */
  readonly next: string;
  /** Where passkeys work; undefined where they cannot. */
  readonly origin: string | undefined;
  readonly email?: string;
  /** What went wrong. */
  readonly problem?: string;
};

function passwordForm({ root, next, email = '' }: SignIn): Html {
  return html`<form class="stack" method="post" action="${root}/console/sign-in">
    <input type="hidden" name="next" value="${next}" />
    <div class="field">
      <label for="email">E-mail</label>
      <input id="email" name="email" type="email" autocomplete="username" maxlength="254" required value="${email}" />
    </div>
    <div class="field">
      <label for="password">Password</label>
      <input id="password" name="password" type="password" autocomplete="current-password" maxlength="512" required />
    </div>
    ${codeField()}
    <button>Sign in with password</button>
  </form>`;
}

export function renderSignIn(signIn: SignIn): string {
  const { root, next, origin, problem } = signIn;
  const { oidc, onlyOidc } = signIn.signIn;
  return renderOutside(
    root,
    'Sign in',
    'sign-in',
    html`${problem !== undefined && html`<p class="notice bad" role="alert">${problem}</p>`}
      ${oidc !== undefined && providerLink(root, next, 'Sign in with your company')}
      ${
        !onlyOidc &&
        origin !== undefined &&
        passkeyButton({ origin, what: 'sign-in', next, label: 'Sign in with a passkey' })
      }
      ${!onlyOidc && passwordForm(signIn)}
      <details>
        <summary>No way in yet, or lost it</summary>
        <p>Open the link that you were given. Whoever runs this Kassa makes one with</p>
        <pre><code>npx kassa user link EMAIL</code></pre>
      </details>`,
  );
}

export const renderProviderProblem = (root: string, problem: string): string =>
  renderOutside(
    root,
    'Not signed in',
    'not-signed-in',
    html`<p class="notice bad" role="alert">${problem}</p>
      <p><a href="${root}/console/sign-in">Try again</a></p>`,
  );

export const renderNotHere = (root: string): string =>
  renderOutside(
    root,
    'Nothing here',
    'not-here',
    html`<p>There is no such page, or it is not yours to see.</p>
      <p><a href="${root}/console">To the console</a></p>`,
  );
