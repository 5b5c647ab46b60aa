// The page of a merchant's secret keys: which there are, what each may do, when it was last used; making and revoking.
import { SCOPE_MEANS, SCOPES } from '../../domain/scope.ts';
import { LONGEST_KEY_NAME } from '../../merchants/keys.ts';
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import type { SecretKey } from '../../store/merchants.ts';
import { homeOf, renderFrame } from '../page/frame.ts';
import type { Place } from '../page/frame.ts';
import { may } from '../visitor.ts';
import { renderConfirm, renderCopy, renderNotice } from '../page/pieces.ts';
import type { Notice } from '../page/pieces.ts';
import { renderTime } from '../page/time.ts';

/** What can be chosen for how long a key lasts, in days. */
export const LASTS: Readonly<Record<string, string>> = {
  '': 'For good, until it is revoked',
  7: '7 days',
  30: '30 days',
  90: '90 days',
  365: 'A year',
};

function stateOf({ isExpired, revokedAt }: SecretKey): Html {
  if (revokedAt !== undefined) return html`<span class="badge">Revoked</span>`;
  if (isExpired) return html`<span class="badge">Expired</span>`;
  return html`<span class="badge good">Active</span>`;
}

const timeOrNever = (atMs: number | undefined, otherwise: string): Html =>
  atMs === undefined ? html`<span class="quiet">${otherwise}</span>` : renderTime(atMs);

function keyRow(place: Place, key: SecretKey): Html {
  const { id, name, hint, scopes, createdAt, expiresAt, lastUsedAt, revokedAt } = key;
  const isOver = key.isExpired || revokedAt !== undefined;
  const title = name ?? 'Without a name';
  return html`<tr class="${isOver && 'over'}">
    <td class="person">
      <strong>${title}</strong> ${stateOf(key)}
      <span class="hint"><code>…${hint}</code> <code>${id}</code></span>
      <span class="hint">since ${renderTime(createdAt)}</span>
    </td>
    <td data-label="Scopes">${scopes?.join(', ') ?? 'all'}</td>
    <td data-label="Last used">${timeOrNever(lastUsedAt, 'Not yet')}</td>
    <td data-label="${revokedAt === undefined ? 'Expires' : 'Revoked'}">
      ${revokedAt === undefined ? timeOrNever(expiresAt, 'Never') : renderTime(revokedAt)}
    </td>
    <td class="acts">
      ${
        !isOver &&
        renderConfirm(
          'Revoke',
          `Whoever uses the key that ends with ${hint} is refused at once. This cannot be undone.`,
          `${homeOf(place)}/keys/${id}/revoke`,
          `Revoke ${title}`,
        )
      }
    </td>
  </tr>`;
}

function createPanel(place: Place, typed: string): Html {
  return html`<section class="panel" aria-labelledby="create">
    <h2 id="create">New key</h2>
    <form class="stack" method="post" action="${homeOf(place)}/keys/create">
      <div class="field">
        <label for="key-name">Name</label>
        <input id="key-name" name="name" required maxlength="${LONGEST_KEY_NAME}" autocomplete="off" value="${typed}" />
        <p class="hint">By which you tell it apart, such as the program that uses it.</p>
      </div>
      <fieldset class="field">
        <legend>May</legend>
        ${SCOPES.filter((scope) => scope !== 'money' || may(place.member, 'move money')).map(
          (scope) =>
            html`<label
              ><input type="checkbox" name="${scope}" value="on" checked /> <span>${SCOPE_MEANS[scope]}</span></label
            >`,
        )}
      </fieldset>
      <div class="field">
        <label for="key-lasts">Lasts</label>
        <select id="key-lasts" name="days">
          ${Object.entries(LASTS)
            .toSorted(([one], [other]) => Number(one) - Number(other))
            .map(([days, text]) => html`<option value="${days}">${text}</option>`)}
        </select>
      </div>
      <button class="primary">Create key</button>
    </form>
  </section>`;
}

export type KeysView = { readonly keys: readonly SecretKey[]; readonly notice?: Notice; readonly typed?: string };

export function renderKeys(place: Place, { keys, notice, typed = '' }: KeysView): string {
  const { checkoutKey } = place.member.merchant;
  const isOver = ({ isExpired, revokedAt }: SecretKey): boolean => isExpired || revokedAt !== undefined;
  const sorted = [...keys.filter((key) => !isOver(key)), ...keys.filter(isOver)];
  const main = html`<h1>Keys</h1>
    ${renderNotice(notice, place.member.language)}
    <div class="columns">
      <div>
        <section class="panel flush" aria-label="Secret keys">
          <table class="list cards keys">
            <thead>
              <tr>
                <th scope="col">Secret key</th>
                <th scope="col">Scopes</th>
                <th scope="col">Last used</th>
                <th scope="col">Ends</th>
                <th scope="col"><span class="visually-hidden">Acts</span></th>
              </tr>
            </thead>
            <tbody>
              ${sorted.map((key) => keyRow(place, key))}
            </tbody>
          </table>
        </section>
        <section class="panel" aria-labelledby="checkout-key">
          <h2 id="checkout-key">Checkout key</h2>
          <p class="quiet">No secret: your shop's page shows it to the checkout's script.</p>
          <div class="once">
            <code>${checkoutKey}</code>
            ${renderCopy(checkoutKey, place.member.language)}
          </div>
        </section>
      </div>
      <div>${createPanel(place, typed)}</div>
    </div>`;
  return renderFrame(place, { title: 'Keys', name: 'keys', main });
}
