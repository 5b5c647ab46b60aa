// The page of a merchant's people: who they are, what they may do, and letting in another.
import { ROLES } from '../../domain/role.ts';
import type { Role } from '../../domain/role.ts';
import { LINK_LASTS } from '../../merchants/people.ts';
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import type { Person } from '../../store/people.ts';
import { homeOf, renderFrame } from '../page/frame.ts';
import type { Place } from '../page/frame.ts';
import { renderConfirm, renderNotice } from '../page/pieces.ts';
import type { Notice } from '../page/pieces.ts';
import { renderTime } from '../page/time.ts';

const ROLE_MEANS: Readonly<Record<Role, string>> = {
  viewer: 'looks at payments and figures',
  operator: 'also charges, refunds and cancels, and sends events again',
  developer: 'manages keys and webhooks, moves no money',
  admin: 'everything, and people and settings',
};

const WITH_LINK = `Nothing is sent. You get a link that signs in once, within ${LINK_LASTS}; hand it over safely.`;
const WITHOUT_LINK = 'Nothing is sent. They get in with your company’s sign-in.';

const options = (chosen: Role): Html[] =>
  ROLES.map((role) => html`<option value="${role}" ${role === chosen && html`selected`}>${role}</option>`);

function personRow(place: Place, withLink: boolean, { id, email, createdAt, memberships }: Person): Html {
  const { member } = place;
  const role = memberships.find(({ merchantId }) => merchantId === member.merchant.id)?.role ?? 'viewer';
  const at = `${homeOf(place)}/team/${id}`;
  const isElsewhere = memberships.length > 1;
  return html`<tr>
    <td class="person">
      <strong>${email}</strong>
      ${id === member.person.id && html`<span class="badge">You</span>`}
      ${isElsewhere && html`<span class="badge" title="Belongs to other merchants, too">Several merchants</span>`}
      <span class="hint">since ${renderTime(createdAt)}</span>
    </td>
    <td data-label="Role">
      <form class="inline" method="post" action="${at}/role">
        <select name="role" aria-label="Role of ${email}">
          ${options(role)}
        </select>
        <button class="quiet">Save</button>
      </form>
    </td>
    <td class="acts">
      ${
        withLink &&
        !isElsewhere &&
        html`<form method="post" action="${at}/link">
          <button class="quiet" aria-label="New link for ${email} to sign in with">New link</button>
        </form>`
      }
      ${renderConfirm(
        'Remove',
        `${email} can no longer see or do anything for ${member.merchant.name}.`,
        `${at}/remove`,
        `Remove ${email}`,
      )}
    </td>
  </tr>`;
}

function invitePanel(place: Place, withLink: boolean, typed: string): Html {
  return html`<section class="panel" aria-labelledby="invite">
    <h2 id="invite">Invite somebody</h2>
    <form class="stack" method="post" action="${homeOf(place)}/team/invite">
      <div class="field">
        <label for="invite-email">E-mail</label>
        <input
          id="invite-email"
          name="email"
          type="email"
          required
          maxlength="254"
          autocomplete="off"
          value="${typed}"
        />
        <p class="hint">${withLink ? WITH_LINK : WITHOUT_LINK}</p>
      </div>
      <div class="field">
        <label for="invite-role">Role</label>
        <select id="invite-role" name="role">
          ${options('operator')}
        </select>
      </div>
      <button class="primary">Invite</button>
    </form>
    <dl class="facts">
      ${ROLES.map(
        (role) =>
          html`<dt>${role}</dt>
            <dd>${ROLE_MEANS[role]}</dd>`,
      )}
    </dl>
  </section>`;
}

export type TeamView = {
  readonly people: readonly Person[];
  /** Whether people are let in by links that are made here. */
  readonly withLink: boolean;
  readonly notice?: Notice;
  /** What was typed and could not be taken. */
  readonly typed?: string;
};

export function renderTeam(place: Place, { people, withLink, notice, typed = '' }: TeamView): string {
  const main = html`<h1>Team</h1>
    ${renderNotice(notice, place.member.language)}
    <div class="columns">
      <section class="panel flush" aria-label="People">
        <table class="list cards">
          <thead>
            <tr>
              <th scope="col">Person</th>
              <th scope="col">Role</th>
              <th scope="col"><span class="visually-hidden">Acts</span></th>
            </tr>
          </thead>
          <tbody>
            ${people.map((person) => personRow(place, withLink, person))}
          </tbody>
        </table>
      </section>
      <div>${invitePanel(place, withLink, typed)}</div>
    </div>`;
  return renderFrame(place, { title: 'Team', name: 'team', main });
}
