// Pages to set a password with an authenticator app, and to show recovery codes once.
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import type { ConsoleTexts } from '../texts.ts';
import { consoleTexts, fill } from '../texts.ts';
import { LONGEST_PASSWORD, SHORTEST_PASSWORD } from '../sign-in/password-rules.ts';
import type { BadPassword } from '../sign-in/password-rules.ts';
import { renderQrCode } from '../sign-in/qr-code.ts';
import { renderOwnPage } from './account.ts';
import type { Account } from './account.ts';
import { renderCopy } from './pieces.ts';

export type NotSet = BadPassword | 'bad_code' | 'busy';

type Texts = ConsoleTexts['account'];

function explain({ problems }: Texts, problem: NotSet): string {
  if (problem === 'too_short') return fill(problems.too_short, { shortest: SHORTEST_PASSWORD });
  return problem === 'too_long' ? fill(problems.too_long, { longest: LONGEST_PASSWORD }) : problems[problem];
}

const passwordField = (texts: Texts, email: string): Html =>
  html`<input type="text" name="username" autocomplete="username" value="${email}" readonly hidden />
    <div class="field">
      <label for="new-password">${texts.newPassword}</label>
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
      <p class="hint" id="new-password-hint">${fill(texts.passwordHint, { shortest: SHORTEST_PASSWORD })}</p>
    </div>`;

function appFields(texts: Texts, { text, uri }: App): Html {
  return html`<p>${texts.scan}</p>
    <div class="app">
      ${renderQrCode(uri, texts.qrCode)}
      <div class="stack">
        <p><code class="app-key">${text.replaceAll(/(.{4})(?=.)/g, '$1 ')}</code></p>
        <input type="hidden" name="secret" value="${text}" />
        <div class="field">
          <label for="code">${texts.codeNow}</label>
          <input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" maxlength="10" required />
        </div>
      </div>
    </div>`;
}

export type App = { readonly text: string; readonly uri: string };

/** With an app, a person can change only the password, or set up both again. */
export function renderPasswordForm(account: Account, app: App, problem?: NotSet): string {
  const { root, visitor, password } = account;
  const texts = consoleTexts(visitor.language).account;
  const at = `${root}/console/account/password`;
  const change = html`<section class="panel">
    <h2>${texts.changeThePassword}</h2>
    <p class="hint">${texts.appStays}</p>
    <form class="stack" method="post" action="${at}/change">
      ${passwordField(texts, visitor.person.email)} <button class="primary">${texts.changePassword}</button>
    </form>
  </section>`;
  const whole = (title: string, more: Html | false): Html =>
    html`<section class="panel">
      <h2>${title}</h2>
      <form class="stack" method="post" action="${at}">
        ${more} ${appFields(texts, app)}
        <button class="primary">${password === undefined ? texts.setIt : texts.useApp}</button>
      </form>
    </section>`;
  const content = html`<p><a href="${root}/console/account">${consoleTexts(visitor.language).frame.account}</a></p>
    ${problem !== undefined && html`<p class="notice bad" role="alert">${explain(texts, problem)}</p>`}
    ${
      password === undefined
        ? whole(texts.passwordAndApp, passwordField(texts, visitor.person.email))
        : html`${!visitor.isWeak && change} ${whole(texts.otherApp, false)}`
    }`;
  return renderOwnPage(account, password === undefined ? texts.setPassword : texts.password, 'password', content);
}

// The same in every language, so that it is found again.
const FILE = 'kassa-recovery-codes.txt';

/** The file is in its link: nothing has to be kept for it, and it works without a script. */
export function renderRecoveryCodes(account: Account, codes: readonly string[]): string {
  const { language, person } = account.visitor;
  const texts = consoleTexts(language).account;
  const text = `Kassa: ${texts.recoveryCodes}\r\n${person.email}\r\n\r\n${codes.join('\r\n')}\r\n`;
  const content = html`<section class="panel">
    <p class="notice good">${texts.keepCodes}</p>
    <p class="printed">${person.email}</p>
    <ol class="recovery-codes">
      ${codes.map((code) => html`<li><code>${code}</code></li>`)}
    </ol>
    <p class="hint">${texts.shownOnce}</p>
    <div class="toolbar keep-codes">
      <a class="button primary" href="${account.root}/console/account">${texts.kept}</a>
      ${renderCopy(codes.join('\n'), language)}
      <a class="button" href="data:text/plain;charset=utf-8,${encodeURIComponent(text)}" download="${FILE}"
        >${texts.download}</a
      >
      <button type="button" data-print hidden>${texts.print}</button>
    </div>
  </section>`;
  return renderOwnPage(account, texts.recoveryCodes, 'recovery-codes', content);
}

/** Before the last way in is taken away. */
export function renderLastWay(account: Account, action: string, id: string): string {
  const texts = consoleTexts(account.visitor.language).account;
  const content = html`<section class="panel">
    <p class="notice wait">${texts.lastWayText}</p>
    <form class="toolbar" method="post" action="${action}">
      <input type="hidden" name="id" value="${id}" />
      <input type="hidden" name="confirmed" value="yes" />
      <button class="danger">${texts.removeAnyway}</button>
      <a class="button" href="${account.root}/console/account">${texts.keepIt}</a>
    </form>
  </section>`;
  return renderOwnPage(account, texts.lastWay, 'last-way', content);
}
