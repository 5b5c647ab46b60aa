// A person's own page: who they are to the console, and where they are signed in.
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import type { Session } from '../../store/sessions.ts';
import type { Visitor } from '../visitor.ts';
import { browserName } from './browser-name.ts';
import { renderFrame } from './frame.ts';
import type { Place } from './frame.ts';
import { renderOutside } from './outside.ts';
import { renderTime } from './time.ts';

export type Account = {
  readonly root: string;
  readonly visitor: Visitor;
  /** A merchant of theirs, whose frame is around the page; undefined where they have none. */
  readonly place: Place | undefined;
};

const METHODS: Readonly<Record<Session['method'], string>> = {
  link: 'a link',
  password: 'password and code',
  passkey: 'a passkey',
  oidc: 'your company’s sign-in',
};

function sessionRow({ root, visitor }: Account, session: Session): Html {
  const isThis = session.id === visitor.session.id;
  return html`<tr>
    <td>
      <strong>${browserName(session.agent)}</strong>
      ${isThis && html`<span class="badge good">This one</span>`}
      <span class="hint">From ${session.address} by ${METHODS[session.method]}</span>
    </td>
    <td>${renderTime(session.createdAt)}</td>
    <td>${renderTime(session.seenAt)}</td>
    <td class="act">
      ${
        !isThis &&
        html`<form method="post" action="${root}/console/account/sessions/${session.id}/end">
          <button class="quiet" aria-label="End the session of ${browserName(session.agent)}">End</button>
        </form>`
      }
    </td>
  </tr>`;
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
    <div class="scroll" tabindex="0" role="region" aria-labelledby="sessions">
      <table class="list sessions">
        <thead>
          <tr>
            <th scope="col">Browser</th>
            <th scope="col">Signed in</th>
            <th scope="col">Last seen</th>
            <th scope="col"><span class="visually-hidden">Act</span></th>
          </tr>
        </thead>
        <tbody>
          ${sessions.map((session) => sessionRow(account, session))}
        </tbody>
      </table>
    </div>
    <p class="hint">A session ends after 12 hours without a click, and after 7 days.</p>
  </section>`;
}

/** In the frame of a merchant, or alone for who has none. */
export function renderOwnPage({ root, place }: Account, title: string, name: string, content: Html): string {
  if (place === undefined) return renderOutside(root, title, name, content);
  const main = html`<div class="own">
    <h1>${title}</h1>
    ${content}
  </div>`;
  return renderFrame(place, { title, name, main });
}

export function renderAccount(account: Account, sessions: readonly Session[]): string {
  const content = html`<p class="lead">You are <strong>${account.visitor.person.email}</strong></p>
    ${sessionsPanel(account, sessions)}`;
  return renderOwnPage(account, 'Your account', 'account', content);
}
