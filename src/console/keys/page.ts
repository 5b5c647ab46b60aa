// The page of a merchant's secret keys, with scopes and last use; creating and revoking keys.
import { SCOPES } from '../../domain/scope.ts';
import { LONGEST_KEY_NAME } from '../../merchants/keys.ts';
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import type { Language } from '../../pages/language.ts';
import type { SecretKey } from '../../store/merchants/keys.ts';
import { homeOf, renderFrame } from '../page/frame.ts';
import type { Place } from '../page/frame.ts';
import type { ConsoleTexts } from '../texts.ts';
import { consoleTexts, fill, fillHtml, sayCount } from '../texts.ts';
import { may } from '../visitor.ts';
import { renderConfirm, renderCopy, renderNotice } from '../page/pieces.ts';
import type { Notice } from '../page/pieces.ts';
import { renderTime } from '../page/time.ts';

/** What can be chosen for how long a key lasts, in days; the first is for good. */
export const LASTS = ['', '7', '30', '90', '365'] as const;
const YEAR = '365';

// Keys cannot have more rights than their creator.
const ASKS_FOR = { money: 'move money', audit: 'administer' } as const;

type Texts = ConsoleTexts['keys'];

function lastsText({ lasts }: Texts, days: string, language: Language): string {
  if (days === '') return lasts.forGood;
  return days === YEAR ? lasts.year : sayCount(lasts.days, Number(days), language);
}

function stateOf(texts: Texts, { isExpired, revokedAt }: SecretKey): Html {
  if (revokedAt !== undefined) return html`<span class="badge">${texts.revoked}</span>`;
  if (isExpired) return html`<span class="badge">${texts.expired}</span>`;
  return html`<span class="badge good">${texts.active}</span>`;
}

const timeOrNever = (language: Language, atMs: number | undefined, otherwise: string): Html =>
  atMs === undefined ? html`<span class="quiet">${otherwise}</span>` : renderTime(atMs, language);

function keyRow(place: Place, key: SecretKey): Html {
  const { id, name, hint, scopes, createdAt, expiresAt, lastUsedAt, revokedAt } = key;
  const isOver = key.isExpired || revokedAt !== undefined;
  const { language } = place.member;
  const texts = consoleTexts(language).keys;
  const title = name ?? texts.noName;
  return html`<tr class="${isOver && 'over'}">
    <td class="person">
      <strong>${title}</strong> ${stateOf(texts, key)}
      <span class="hint"><code>…${hint}</code> <code>${id}</code></span>
      <span class="hint">${fillHtml(texts.since, { time: renderTime(createdAt, language) })}</span>
    </td>
    <td data-label="${texts.scopes}">${scopes?.map((scope) => texts.scopeNames[scope]).join(', ') ?? texts.all}</td>
    <td data-label="${texts.lastUsed}">${timeOrNever(language, lastUsedAt, texts.notYet)}</td>
    <td data-label="${revokedAt === undefined ? texts.expires : texts.revoked}">
      ${revokedAt === undefined ? timeOrNever(language, expiresAt, texts.never) : renderTime(revokedAt, language)}
    </td>
    <td class="acts">
      ${
        !isOver &&
        renderConfirm({
          word: texts.revoke,
          sentence: fill(texts.revocation, { hint }),
          action: `${homeOf(place)}/keys/${id}/revoke`,
          sure: fill(texts.revokeKey, { name: name ?? `…${hint}` }),
        })
      }
    </td>
  </tr>`;
}

function createPanel(place: Place, typed: string): Html {
  const texts = consoleTexts(place.member.language).keys;
  return html`<section class="panel" aria-labelledby="create">
    <h2 id="create">${texts.newKey}</h2>
    <form class="stack" method="post" action="${homeOf(place)}/keys/create">
      <div class="field">
        <label for="key-name">${texts.name}</label>
        <input id="key-name" name="name" required maxlength="${LONGEST_KEY_NAME}" autocomplete="off" value="${typed}" />
        <p class="hint">${texts.nameHint}</p>
      </div>
      <fieldset class="field">
        <legend>${texts.may}</legend>
        ${SCOPES.filter(
          (scope) => !(scope in ASKS_FOR) || may(place.member, ASKS_FOR[scope as keyof typeof ASKS_FOR]),
        ).map(
          (scope) =>
            html`<label
              ><input type="checkbox" name="${scope}" value="on" ${scope !== 'audit' && html`checked`} />
              <span>${texts.scopeMeans[scope]}</span></label
            >`,
        )}
      </fieldset>
      <div class="field">
        <label for="key-lasts">${texts.lastsLabel}</label>
        <select id="key-lasts" name="days">
          ${LASTS.map(
            (days) => html`<option value="${days}">${lastsText(texts, days, place.member.language)}</option>`,
          )}
        </select>
      </div>
      <button class="primary">${texts.create}</button>
    </form>
  </section>`;
}

export type KeysView = { readonly keys: readonly SecretKey[]; readonly notice?: Notice; readonly typed?: string };

export function renderKeys(place: Place, { keys, notice, typed = '' }: KeysView): string {
  const { language, merchant } = place.member;
  const { checkoutKey } = merchant;
  const texts = consoleTexts(language).keys;
  const { pages, acts } = consoleTexts(language).frame;
  const isOver = ({ isExpired, revokedAt }: SecretKey): boolean => isExpired || revokedAt !== undefined;
  const sorted = [...keys.filter((key) => !isOver(key)), ...keys.filter(isOver)];
  const main = html`<h1>${pages.keys}</h1>
    ${renderNotice(notice, language)}
    <div class="columns">
      <div>
        <section class="panel flush" aria-label="${texts.secretKeys}">
          <table class="list cards keys">
            <thead>
              <tr>
                <th scope="col">${texts.secretKey}</th>
                <th scope="col">${texts.scopes}</th>
                <th scope="col">${texts.lastUsed}</th>
                <th scope="col">${texts.expires}</th>
                <th scope="col"><span class="visually-hidden">${acts}</span></th>
              </tr>
            </thead>
            <tbody>
              ${sorted.map((key) => keyRow(place, key))}
            </tbody>
          </table>
        </section>
        <section class="panel" aria-labelledby="checkout-key">
          <h2 id="checkout-key">${texts.checkoutKey}</h2>
          <p class="quiet">${texts.checkoutKeyHint}</p>
          <div class="once">
            <code>${checkoutKey}</code>
            ${renderCopy(checkoutKey, language)}
          </div>
        </section>
      </div>
      <div>${createPanel(place, typed)}</div>
    </div>`;
  return renderFrame(place, { title: pages.keys, name: 'keys', main });
}
