// The team page of a merchant: people, roles and invitations.
import { ROLES } from '../../domain/role.ts';
import type { Role } from '../../domain/role.ts';
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import type { Person } from '../../store/people/people.ts';
import type { LinkRequest } from '../../store/people/sign-in-links.ts';
import { homeOf, renderFrame } from '../page/frame.ts';
import type { Place } from '../page/frame.ts';
import { renderConfirm, renderNotice } from '../page/pieces.ts';
import type { Notice } from '../page/pieces.ts';
import { renderTime } from '../page/time.ts';
import type { ConsoleTexts } from '../texts.ts';
import { consoleTexts, fill, fillHtml } from '../texts.ts';

type Texts = ConsoleTexts['team'];

const options = ({ roles }: Texts, chosen: Role): Html[] =>
  ROLES.map((role) => html`<option value="${role}" ${role === chosen && html`selected`}>${roles[role]}</option>`);

function personRow(
  place: Place,
  { withLink, locked }: Pick<TeamView, 'withLink' | 'locked'>,
  { id, email, createdAt, memberships }: Person,
): Html {
  const { member } = place;
  const texts = consoleTexts(member.language).team;
  const role = memberships.find(({ merchantId }) => merchantId === member.merchant.id)?.role ?? 'viewer';
  const at = `${homeOf(place)}/team/${id}`;
  const isElsewhere = memberships.length > 1;
  const lockedUntil = locked.get(id);
  return html`<tr>
    <td class="person">
      <strong>${email}</strong>
      ${id === member.person.id && html`<span class="badge">${texts.you}</span>`}
      ${isElsewhere && html`<span class="badge" title="${texts.elsewhere}">${texts.several}</span>`}
      <span class="hint">${fillHtml(texts.since, { time: renderTime(createdAt, member.language) })}</span>
      ${
        lockedUntil !== undefined &&
        html`<span class="hint">${fillHtml(texts.locked, { time: renderTime(lockedUntil, member.language) })}</span>`
      }
    </td>
    <td data-label="${texts.role}">
      <form class="inline" method="post" action="${at}/role" data-save>
        <select name="role" aria-label="${fill(texts.roleOf, { email })}">
          ${options(texts, role)}
        </select>
        <button class="quiet">${consoleTexts(member.language).frame.save}</button>
      </form>
    </td>
    <td class="acts">
      ${
        lockedUntil !== undefined &&
        !isElsewhere &&
        html`<form method="post" action="${at}/unlock">
          <button class="quiet" aria-label="${fill(texts.unlockFor, { email })}">${texts.unlock}</button>
        </form>`
      }
      ${
        withLink &&
        !isElsewhere &&
        html`<form method="post" action="${at}/link">
          <button class="quiet" aria-label="${fill(texts.newLinkFor, { email })}">${texts.newLink}</button>
        </form>`
      }
      ${renderConfirm({
        word: consoleTexts(member.language).frame.remove,
        sentence: fill(texts.removal, { email, merchant: member.merchant.name }),
        action: `${at}/remove`,
        sure: fill(texts.removePerson, { email }),
      })}
    </td>
  </tr>`;
}

function invitePanel(place: Place, withLink: boolean, typed: string): Html {
  const texts = consoleTexts(place.member.language).team;
  return html`<section class="panel" aria-labelledby="invite">
    <h2 id="invite">${texts.inviteSomebody}</h2>
    <form class="stack" method="post" action="${homeOf(place)}/team/invite">
      <div class="field">
        <label for="invite-email">${texts.email}</label>
        <input
          id="invite-email"
          name="email"
          type="email"
          required
          maxlength="254"
          autocomplete="off"
          value="${typed}"
        />
        <p class="hint">${withLink ? texts.withLink : texts.withoutLink}</p>
      </div>
      <div class="field">
        <label for="invite-role">${texts.role}</label>
        <select id="invite-role" name="role">
          ${options(texts, 'operator')}
        </select>
      </div>
      <button class="primary">${texts.invite}</button>
    </form>
    <dl class="facts">
      ${ROLES.map(
        (role) =>
          html`<dt>${texts.roles[role]}</dt>
            <dd>${texts.means[role]}</dd>`,
      )}
    </dl>
  </section>`;
}

/** Links that need approval by another admin. */
function requestsPanel(place: Place, requests: readonly LinkRequest[]): Html | undefined {
  if (requests.length === 0) return undefined;
  const { language, person } = place.member;
  const texts = consoleTexts(language).team;
  const row = ({ id, personId, email, askedBy, askedById, askedAt }: LinkRequest): Html => {
    const at = `${homeOf(place)}/team/requests/${id}`;
    const mayApprove = person.id !== askedById && person.id !== personId;
    return html`<li>
      <div>
        <strong>${email}</strong>
        <p class="hint">${fillHtml(texts.askedBy, { by: askedBy, time: renderTime(askedAt, language) })}</p>
      </div>
      <div class="toolbar">
        ${
          mayApprove &&
          html`<form method="post" action="${at}/approve">
            <button aria-label="${fill(texts.approveFor, { email })}">${texts.approve}</button>
          </form>`
        }
        <form method="post" action="${at}/refuse">
          <button class="quiet" aria-label="${fill(texts.refuseFor, { email })}">${texts.refuse}</button>
        </form>
      </div>
    </li>`;
  };
  return html`<section class="panel" aria-labelledby="requests">
    <h2 id="requests">${texts.requests}</h2>
    <p class="hint">${texts.requestsMean}</p>
    <ul class="ways">
      ${requests.map(row)}
    </ul>
  </section>`;
}

export type TeamView = {
  readonly people: readonly Person[];
  /** Whether people are let in by links that are made here. */
  readonly withLink: boolean;
  /** Until when password sign-in is locked of whom, by their ids. */
  readonly locked: ReadonlyMap<string, number>;
  /** Links for people who can sign in already, that another admin approves. */
  readonly requests: readonly LinkRequest[];
  readonly notice?: Notice;
  /** What was typed and could not be taken. */
  readonly typed?: string;
};

export function renderTeam(place: Place, view: TeamView): string {
  const { people, requests, withLink, notice, typed = '' } = view;
  const { language } = place.member;
  const texts = consoleTexts(language).team;
  const { pages, acts } = consoleTexts(language).frame;
  const main = html`<h1>${pages.team}</h1>
    ${renderNotice(notice, language)} ${requestsPanel(place, requests)}
    <div class="columns">
      <section class="panel flush" aria-label="${texts.people}">
        <table class="list cards">
          <thead>
            <tr>
              <th scope="col">${texts.person}</th>
              <th scope="col">${texts.role}</th>
              <th scope="col"><span class="visually-hidden">${acts}</span></th>
            </tr>
          </thead>
          <tbody>
            ${people.map((person) => personRow(place, view, person))}
          </tbody>
        </table>
      </section>
      <div>${invitePanel(place, withLink, typed)}</div>
    </div>`;
  return renderFrame(place, { title: pages.team, name: 'team', main });
}
