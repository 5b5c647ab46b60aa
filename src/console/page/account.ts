// A person's own page: who they are to the console, how they come in, and where they are signed in.
import type { SignInConfig } from '../../config/sign-in.ts';
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import { LANGUAGES, nameOf } from '../../pages/language.ts';
import type { Passkey } from '../../store/people/passkeys.ts';
import type { Password } from '../../store/people/passwords.ts';
import type { Session } from '../../store/people/sessions.ts';
import { consoleTexts, fill, fillHtml } from '../texts.ts';
import type { Visitor } from '../visitor.ts';
import { browserName } from './browser-name.ts';
import { renderFrame } from './frame.ts';
import type { Place } from './frame.ts';
import { renderOutside } from './outside.ts';
import { renderConfirm } from './pieces.ts';
import { passkeyButton } from './sign-in.ts';
import { renderTime } from './time.ts';

export type Account = {
  readonly root: string;
  readonly visitor: Visitor;
  /** A merchant of theirs, whose frame is around the page; undefined where they have none. */
  readonly place: Place | undefined;
  readonly passkeys: readonly Passkey[];
  readonly password: Password | undefined;
  /** Where passkeys work; undefined where they cannot. */
  readonly origin: string | undefined;
  readonly signIn: SignInConfig;
};

const textsOf = ({ visitor }: Account) => consoleTexts(visitor.language).account;

function sessionRow(account: Account, session: Session): Html {
  const { root, visitor } = account;
  const texts = textsOf(account);
  const method = texts.methods[session.method];
  const isThis = session.id === visitor.session.id;
  const name = browserName(session.agent, visitor.language);
  return html`<li>
    <div>
      <strong>${name}</strong> ${isThis && html`<span class="badge good">${texts.thisOne}</span>`}
      <p class="hint">${fill(texts.sessionFrom, { address: session.address, method })}</p>
      <p class="hint">
        ${fillHtml(texts.sessionSince, {
          since: renderTime(session.createdAt, visitor.language),
          seen: renderTime(session.seenAt, visitor.language),
        })}
      </p>
    </div>
    ${
      !isThis &&
      html`<form method="post" action="${root}/console/account/sessions/${session.id}/end">
        <button class="quiet" aria-label="${fill(texts.endSession, { name })}">${texts.end}</button>
      </form>`
    }
  </li>`;
}

function sessionsPanel(account: Account, sessions: readonly Session[]): Html {
  const texts = textsOf(account);
  const isLive = account.visitor.person.memberships.some(({ live }) => live);
  return html`<section class="panel" aria-labelledby="sessions">
    <div class="toolbar">
      <h2 id="sessions">${texts.sessions}</h2>
      ${
        sessions.length > 1 &&
        html`<form method="post" action="${account.root}/console/account/sessions/end-others">
          <button class="danger">${texts.endOthers}</button>
        </form>`
      }
    </div>
    <ul class="ways">
      ${sessions.map((session) => sessionRow(account, session))}
    </ul>
    <p class="hint">
      ${isLive ? fill(texts.sessionsEndLive, { minutes: account.signIn.idleMinutes }) : texts.sessionsEnd}
    </p>
  </section>`;
}

function passkeyRow(account: Account, { id, name, createdAt, usedAt }: Passkey): Html {
  const isLast = account.passkeys.length === 1 && account.password === undefined;
  const { root, visitor } = account;
  const texts = textsOf(account);
  const time = renderTime(createdAt, visitor.language);
  const added =
    usedAt === undefined
      ? fillHtml(texts.added, { time })
      : fillHtml(texts.addedUsed, { time, used: renderTime(usedAt, visitor.language) });
  const [word, label] = [consoleTexts(visitor.language).frame.remove, fill(texts.removePasskey, { name })];
  const action = `${root}/console/account/passkeys/remove`;
  // The last way in is asked about on a page of its own.
  const removal = isLast
    ? html`<form method="post" action="${action}">
        <input type="hidden" name="id" value="${id}" />
        <button class="quiet" aria-label="${label}">${word}</button>
      </form>`
    : renderConfirm({ word, label, sentence: texts.passkeyRemoval, action, fields: { id }, sure: texts.removeIt });
  return html`<li>
    <div>
      <strong>${name}</strong>
      <p class="hint">${added}</p>
    </div>
    ${removal}
  </li>`;
}

/** The button that adds a passkey, with its name. */
export function addPasskey(account: Account, next: string): Html {
  const { origin, visitor } = account;
  const texts = textsOf(account);
  return origin === undefined
    ? html`<p class="hint">${texts.noPasskeysHere}</p>`
    : html`<div class="add-passkey">
        <div class="field">
          <label for="passkey-name">${texts.passkeyName}</label>
          <input id="passkey-name" maxlength="60" placeholder="${texts.passkeyExample}" />
        </div>
        ${passkeyButton(visitor.language, { origin, what: 'add', next, label: texts.addPasskey })}
      </div>`;
}

function passkeysPanel(account: Account): Html {
  const { root, passkeys } = account;
  const texts = textsOf(account);
  const none = html`<p class="hint">${texts.noPasskeys}</p>`;
  return html`<section class="panel" aria-labelledby="passkeys">
    <h2 id="passkeys">${texts.passkeys}</h2>
    ${
      passkeys.length === 0
        ? none
        : html`<ul class="ways">
            ${passkeys.map((each) => passkeyRow(account, each))}
          </ul>`
    }
    ${addPasskey(account, `${root}/console/account`)}
  </section>`;
}

function passwordPanel(account: Account): Html {
  const { root, password, passkeys, visitor } = account;
  const texts = textsOf(account);
  const at = `${root}/console/account/password`;
  const none = html`<p class="hint">${texts.noPassword}</p>
    <a class="button" href="${at}">${texts.setPassword}</a>`;
  const set = (known: Password): Html =>
    html`<p>
        ${fillHtml(texts.passwordSet, { time: renderTime(known.changedAt, visitor.language), left: known.recoveryCodes })}
      </p>
      <div class="toolbar">
        <a class="button" href="${at}">${texts.change}</a>
        ${renderConfirm({
          word: texts.newCodes,
          sentence: texts.newCodesText,
          action: `${root}/console/account/recovery-codes`,
          sure: texts.makeCodes,
          tone: '',
        })}
        ${
          passkeys.length === 0
            ? html`<form method="post" action="${at}/remove">
                <button class="quiet">${consoleTexts(visitor.language).frame.remove}</button>
              </form>`
            : renderConfirm({
                word: consoleTexts(visitor.language).frame.remove,
                label: texts.removePassword,
                sentence: texts.passwordRemoval,
                action: `${at}/remove`,
                sure: texts.removePassword,
              })
        }
      </div>`;
  return html`<section class="panel" aria-labelledby="password-panel">
    <h2 id="password-panel">${texts.passwordAndApp}</h2>
    ${password === undefined ? none : set(password)}
  </section>`;
}

function languagePanel(account: Account): Html {
  const { root, visitor } = account;
  const texts = textsOf(account);
  const option = (value: string, text: string): Html =>
    html`<option value="${value}" ${value === (visitor.person.language ?? '') && html`selected`}>${text}</option>`;
  return html`<section class="panel" aria-labelledby="language-panel">
    <h2 id="language-panel">${texts.language}</h2>
    <p class="hint" id="language-hint">${texts.languageHint}</p>
    <form class="toolbar choose" method="post" action="${root}/console/account/language">
      <select name="language" aria-labelledby="language-panel" aria-describedby="language-hint">
        ${option('', texts.byBrowser)} ${LANGUAGES.map((each) => option(each, nameOf(each)))}
      </select>
      <button>${consoleTexts(visitor.language).frame.save}</button>
    </form>
  </section>`;
}

/** In the frame of a merchant, or alone for who has none. */
export function renderOwnPage({ root, place, visitor }: Account, title: string, name: string, content: Html): string {
  if (place === undefined) return renderOutside(visitor.language, root, title, name, content);
  const main = html`<div class="own">
    <h1>${title}</h1>
    ${content}
  </div>`;
  // On one's own pages the offer of the frame would offer what they show.
  return renderFrame({ ...place, member: { ...place.member, isOffered: false } }, { title, name, main });
}

export function renderAccount(account: Account, sessions: readonly Session[]): string {
  const content = html`<p class="lead">
      ${fillHtml(textsOf(account).youAre, { email: html`<strong>${account.visitor.person.email}</strong>` })}
    </p>
    ${!account.signIn.onlyOidc && html`${passkeysPanel(account)} ${passwordPanel(account)}`} ${languagePanel(account)}
    ${sessionsPanel(account, sessions)}`;
  return renderOwnPage(account, consoleTexts(account.visitor.language).frame.account, 'account', content);
}
