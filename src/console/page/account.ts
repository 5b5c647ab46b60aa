// A person's own page: who they are to the console, how they come in, and where they are signed in.
import type { SignInConfig } from '../../config/sign-in.ts';
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import type { Passkey } from '../../store/passkeys.ts';
import type { Password } from '../../store/passwords.ts';
import type { Session } from '../../store/sessions.ts';
import type { Visitor } from '../visitor.ts';
import { browserName } from './browser-name.ts';
import { renderFrame } from './frame.ts';
import type { Place } from './frame.ts';
import { renderOutside } from './outside.ts';
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

const METHODS: Readonly<Record<Session['method'], string>> = {
  link: 'a link',
  password: 'password and code',
  passkey: 'a passkey',
  oidc: 'your company’s sign-in',
};

function sessionRow({ root, visitor }: Account, session: Session): Html {
  const isThis = session.id === visitor.session.id;
  const name = browserName(session.agent);
  return html`<li>
    <div>
      <strong>${name}</strong> ${isThis && html`<span class="badge good">This one</span>`}
      <p class="hint">From ${session.address}, by ${METHODS[session.method]}</p>
      <p class="hint">Signed in ${renderTime(session.createdAt)}, last seen ${renderTime(session.seenAt)}</p>
    </div>
    ${
      !isThis &&
      html`<form method="post" action="${root}/console/account/sessions/${session.id}/end">
        <button class="quiet" aria-label="End the session of ${name}">End</button>
      </form>`
    }
  </li>`;
}

function sessionsPanel(account: Account, sessions: readonly Session[]): Html {
  return html`<section class="panel" aria-labelledby="sessions">
    <div class="toolbar">
      <h2 id="sessions">Sessions</h2>
      ${
        sessions.length > 1 &&
        html`<form method="post" action="${account.root}/console/account/sessions/end-others">
          <button class="danger">Sign out everywhere else</button>
        </form>`
      }
    </div>
    <ul class="ways">
      ${sessions.map((session) => sessionRow(account, session))}
    </ul>
    <p class="hint">A session ends after 12 hours without a click, and after 7 days.</p>
  </section>`;
}

function passkeyRow({ root }: Account, { id, name, createdAt, usedAt }: Passkey): Html {
  const used = usedAt !== undefined && html`, last used ${renderTime(usedAt)}`;
  return html`<li>
    <div>
      <strong>${name}</strong>
      <p class="hint">Added ${renderTime(createdAt)}${used}</p>
    </div>
    <form method="post" action="${root}/console/account/passkeys/remove">
      <input type="hidden" name="id" value="${id}" />
      <button class="quiet" aria-label="Remove the passkey ${name}">Remove</button>
    </form>
  </li>`;
}

function passkeysPanel(account: Account): Html {
  const { root, passkeys, origin } = account;
  const next = `${root}/console/account`;
  const none = html`<p class="hint">None yet. A passkey is your fingerprint, face or PIN in place of a password.</p>`;
  const add =
    origin === undefined
      ? html`<p class="hint">Passkeys need an address with a name: they cannot be made for an IP address.</p>`
      : html`<div class="add-passkey">
          <div class="field">
            <label for="passkey-name">Name of a new one</label>
            <input id="passkey-name" maxlength="60" placeholder="For example: My laptop" />
          </div>
          ${passkeyButton({ origin, what: 'add', next, label: 'Add a passkey' })}
        </div>`;
  return html`<section class="panel" aria-labelledby="passkeys">
    <h2 id="passkeys">Passkeys</h2>
    ${
      passkeys.length === 0
        ? none
        : html`<ul class="ways">
            ${passkeys.map((each) => passkeyRow(account, each))}
          </ul>`
    }
    ${add}
  </section>`;
}

function passwordPanel({ root, password }: Account): Html {
  const at = `${root}/console/account/password`;
  const none = html`<p class="hint">Not set. A password works together with the codes of an authenticator app.</p>
    <a class="button" href="${at}">Set a password</a>`;
  const set = (known: Password): Html =>
    html`<p>Set ${renderTime(known.changedAt)}. ${known.recoveryCodes} of 10 recovery codes are left.</p>
      <div class="toolbar">
        <a class="button" href="${at}">Change</a>
        <form method="post" action="${root}/console/account/recovery-codes">
          <button>New recovery codes</button>
        </form>
        <form method="post" action="${at}/remove"><button class="quiet">Remove</button></form>
      </div>`;
  return html`<section class="panel" aria-labelledby="password-panel">
    <h2 id="password-panel">Password and authenticator app</h2>
    ${password === undefined ? none : set(password)}
  </section>`;
}

/** In the frame of a merchant, or alone for who has none. */
export function renderOwnPage({ root, place }: Account, title: string, name: string, content: Html): string {
  if (place === undefined) return renderOutside(root, title, name, content);
  const main = html`<div class="own">
    <h1>${title}</h1>
    ${content}
  </div>`;
  // On one's own pages the offer of the frame would offer what they show.
  return renderFrame({ ...place, member: { ...place.member, isOffered: false } }, { title, name, main });
}

export function renderAccount(account: Account, sessions: readonly Session[]): string {
  const content = html`<p class="lead">You are <strong>${account.visitor.person.email}</strong></p>
    ${!account.signIn.onlyOidc && html`${passkeysPanel(account)} ${passwordPanel(account)}`}
    ${sessionsPanel(account, sessions)}`;
  return renderOwnPage(account, 'Your account', 'account', content);
}
