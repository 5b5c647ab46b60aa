// The sign-in pages: with a link, a passkey, or password and code; and their errors.
import type { SignInConfig } from '../../config/sign-in.ts';
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import type { Language } from '../../pages/language.ts';
import type { FirstSignIn } from '../context.ts';
import { consoleTexts, fillHtml } from '../texts.ts';
import { renderOutside } from './outside.ts';

/** The script presses the button: just opening the address does nothing, so that link previews do not consume it. */
export function renderLink(language: Language, root: string, secret: string, email: string): string {
  const texts = consoleTexts(language).signIn;
  return renderOutside(
    language,
    root,
    texts.signIn,
    'link',
    html`<form method="post" action="${root}/console/link/${secret}">
      <p>${fillHtml(texts.asEmail, { email: html`<strong>${email}</strong>` })}</p>
      <button class="primary">${texts.signIn}</button>
    </form>`,
  );
}

export function renderLostLink(language: Language, root: string): string {
  const texts = consoleTexts(language).signIn;
  return renderOutside(
    language,
    root,
    texts.usedUp,
    'lost-link',
    html`<p>${texts.usedUpText}</p>
      <pre><code>npx kassa user link EMAIL</code></pre>
      <p><a href="${root}/console/sign-in">${texts.anotherWay}</a></p>`,
  );
}

/** Until another admin has approved it. */
export function renderWaitingLink(language: Language, root: string): string {
  const { linkWaits, linkWaitsText, anotherWay } = consoleTexts(language).signIn;
  const content = html`<p>${linkWaitsText}</p>
    <p><a href="${root}/console/sign-in">${anotherWay}</a></p>`;
  return renderOutside(language, root, linkWaits, 'lost-link', content);
}

/** A button that a script shows where passkeys work; elsewhere it tells where they do. */
export function passkeyButton(language: Language, { origin, what, next, label }: PasskeyButton): Html {
  const { elsewhere, passkey } = consoleTexts(language).signIn;
  const { failed, known, notUsed } = passkey;
  return html`<div class="passkey">
    <button
      type="button"
      class="primary"
      data-passkey="${what}"
      data-origin="${origin}"
      data-next="${next}"
      data-texts="${JSON.stringify({ failed, known, notUsed })}"
      hidden
    >
      ${label}
    </button>
    <p class="hint" data-passkey-elsewhere hidden>
      ${fillHtml(elsewhere, { link: html`<a href="${origin}${next}">${origin}</a>` })}
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

export function codeField(language: Language): Html {
  const texts = consoleTexts(language).signIn;
  return html`<div class="field">
    <label for="code">${texts.code}</label>
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
    <p class="hint" id="code-hint">${texts.codeHint}</p>
  </div>`;
}

export type SignIn = {
  readonly language: Language;
  readonly root: string;
  /** Whether there is a provider, and nothing else. */
  readonly signIn: SignInConfig;
  /** A path of the console. */
  readonly next: string;
  /** Where passkeys work; undefined where they cannot. */
  readonly origin: string | undefined;
  readonly email?: string;
  /** Of a sandbox whose one person has come in by links alone. */
  readonly firstSignIn?: FirstSignIn;
  /** What went wrong. */
  readonly problem?: Html;
};

function passwordForm({ language, root, next, email = '' }: SignIn): Html {
  const texts = consoleTexts(language).signIn;
  return html`<form class="stack" method="post" action="${root}/console/sign-in">
    <input type="hidden" name="next" value="${next}" />
    <div class="field">
      <label for="email">${texts.email}</label>
      <input id="email" name="email" type="email" autocomplete="username" maxlength="254" required value="${email}" />
    </div>
    <div class="field">
      <label for="password">${texts.password}</label>
      <input id="password" name="password" type="password" autocomplete="current-password" maxlength="512" required />
    </div>
    ${codeField(language)}
    <button>${texts.withPassword}</button>
  </form>`;
}

export function renderSignIn(signIn: SignIn): string {
  const { language, root, next, origin, firstSignIn, problem } = signIn;
  const { oidc, onlyOidc } = signIn.signIn;
  const texts = consoleTexts(language).signIn;
  const command = firstSignIn && `${firstSignIn.command} user link ${firstSignIn.email}`;
  return renderOutside(
    language,
    root,
    texts.signIn,
    'sign-in',
    html`${problem !== undefined && html`<p class="notice bad" role="alert">${problem}</p>`}
    ${
      firstSignIn &&
      html`<div class="notice">
        <p>${firstSignIn.isInTerminal ? texts.inTerminal : texts.byCommand}</p>
        <pre><code>${command}</code></pre>
      </div>`
    }
    ${oidc !== undefined && providerLink(root, next, texts.withCompany)}
    ${
      !onlyOidc &&
      origin !== undefined &&
      passkeyButton(language, { origin, what: 'sign-in', next, label: texts.withPasskey })
    }
    ${!onlyOidc && passwordForm(signIn)}
    ${
      firstSignIn === undefined &&
      html`<details>
        <summary>${texts.noWay}</summary>
        <p>${texts.noWayText}</p>
        <pre><code>npx kassa user link EMAIL</code></pre>
      </details>`
    }`,
  );
}

export function renderProviderProblem(language: Language, root: string, problem: string): string {
  const texts = consoleTexts(language).signIn;
  return renderOutside(
    language,
    root,
    texts.notSignedIn,
    'not-signed-in',
    html`<p class="notice bad" role="alert">${problem}</p>
      <p><a href="${root}/console/sign-in">${texts.tryAgain}</a></p>`,
  );
}

/** To who belongs to no merchant: there is no frame to put around it. */
export function renderNowhere(language: Language, root: string): string {
  const texts = consoleTexts(language).frame;
  return renderOutside(
    language,
    root,
    texts.notHere,
    'not-here',
    html`<p>${texts.notHereText}</p>
      <p><a href="${root}/console">${texts.toConsole}</a></p>`,
  );
}
