// Setting a password with its app, and the codes for when the app is lost, which are shown once.
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import { LONGEST_PASSWORD, SHORTEST_PASSWORD } from '../ways-in/password-rules.ts';
import type { BadPassword } from '../ways-in/password-rules.ts';
import { renderQrCode } from '../ways-in/qr-code.ts';
import { renderOwnPage } from './account.ts';
import type { Account } from './account.ts';

export type NotSet = BadPassword | 'bad_code' | 'busy';

const PROBLEMS: Readonly<Record<NotSet, string>> = {
  too_short: `Too short: at least ${SHORTEST_PASSWORD} characters. Four words that have nothing to do with each other are a good one.`,
  too_long: `Too long: at most ${LONGEST_PASSWORD} characters.`,
  common:
    'Too common: it is among the first that anybody would try. Four words that have nothing to do with each other are a good one.',
  bad_code: 'That is not the code that the app shows for this picture now. Type the next one.',
  busy: 'Many people are signing in. Try again in a moment.',
};

const passwordField = (email: string): Html =>
  html`<input type="text" name="username" autocomplete="username" value="${email}" readonly hidden />
    <div class="field">
      <label for="new-password">New password</label>
      <input
        id="new-password"
        name="password"
        type="password"
        autocomplete="new-password"
        minlength="${SHORTEST_PASSWORD}"
        maxlength="512"
        required
        aria-describedby="new-password-hint"
      />
      <p class="hint" id="new-password-hint">
        At least ${SHORTEST_PASSWORD} characters, and none of the commonest. It does not expire.
      </p>
    </div>`;

function appFields({ text, uri }: App): Html {
  return html`<div class="app">
    ${renderQrCode(uri, 'QR code for your authenticator app')}
    <div class="stack">
      <p>Scan it with an authenticator app, or type this key into it:</p>
      <p><code class="app-key">${text.replaceAll(/(.{4})(?=.)/g, '$1 ')}</code></p>
      <input type="hidden" name="secret" value="${text}" />
      <div class="field">
        <label for="code">Code that the app shows now</label>
        <input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" maxlength="10" required />
      </div>
    </div>
  </div>`;
}

export type App = { readonly text: string; readonly uri: string };

/** Whoever has one can change the password and leave the app; or all of it anew. */
export function renderPasswordForm(account: Account, app: App, problem?: NotSet): string {
  const { root, visitor, password } = account;
  const at = `${root}/console/account/password`;
  const change = html`<section class="panel">
    <h2>Change the password</h2>
    <p class="hint">The app stays as it is. You are signed out everywhere else.</p>
    <form class="stack" method="post" action="${at}/change">
      ${passwordField(visitor.person.email)} <button class="primary">Change password</button>
    </form>
  </section>`;
  const whole = (title: string, more: Html | false): Html =>
    html`<section class="panel">
      <h2>${title}</h2>
      <form class="stack" method="post" action="${at}">
        ${more} ${appFields(app)}
        <button class="primary">${password === undefined ? 'Set password' : 'Use this app'}</button>
      </form>
    </section>`;
  const content = html`<p><a href="${root}/console/account">Your account</a></p>
    ${problem !== undefined && html`<p class="notice bad" role="alert">${PROBLEMS[problem]}</p>`}
    ${
      password === undefined
        ? whole('Password and authenticator app', passwordField(visitor.person.email))
        : html`${change} ${whole('Move to another app', false)}`
    }`;
  return renderOwnPage(account, password === undefined ? 'Set a password' : 'Password', 'password', content);
}

export function renderRecoveryCodes(account: Account, codes: readonly string[]): string {
  const content = html`<section class="panel">
    <p class="notice good">
      It is set. Keep these codes where you do not keep your phone: each lets you in once without the app.
    </p>
    <ol class="recovery-codes">
      ${codes.map((code) => html`<li><code>${code}</code></li>`)}
    </ol>
    <p class="hint">They are shown this once. Codes from before do not work any more.</p>
    <a class="button primary" href="${account.root}/console/account">I have kept them</a>
  </section>`;
  return renderOwnPage(account, 'Recovery codes', 'recovery-codes', content);
}

/** Before the last way in is taken away. */
export function renderLastWay(account: Account, action: string, id: string): string {
  const content = html`<section class="panel">
    <p class="notice wait">
      It is your last way in. Without it you come back only by a link, which whoever runs this Kassa makes.
    </p>
    <form class="toolbar" method="post" action="${action}">
      <input type="hidden" name="id" value="${id}" />
      <input type="hidden" name="confirmed" value="yes" />
      <button class="danger">Remove it all the same</button>
      <a class="button" href="${account.root}/console/account">Keep it</a>
    </form>
  </section>`;
  return renderOwnPage(account, 'Remove your last way in?', 'last-way', content);
}
