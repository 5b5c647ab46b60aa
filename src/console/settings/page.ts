// The settings page of a merchant: a form for admins, read-only for others, with the settings of the operator beside it.
import { grants } from '../../domain/role.ts';
import type { Merchant } from '../../domain/merchant.ts';
import { showRefundProof } from '../../domain/refund-proof.ts';
import { LONGEST_NAME } from '../../merchants/merchants.ts';
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import { homeOf, renderFrame } from '../page/frame.ts';
import type { Place } from '../page/frame.ts';
import { renderNotice } from '../page/pieces.ts';
import type { ConsoleTexts } from '../texts.ts';
import { consoleTexts, fill, wordOf } from '../texts.ts';
import { showFields } from './shown.ts';

type Texts = ConsoleTexts['settings'];
type Fields = Readonly<Record<string, string>>;

/** A rejected form: its values, the invalid field, and the reason. */
export type Refused = { readonly typed: Fields; readonly field?: string; readonly text: string };

/** Where none is chosen, the picker begins with the colour that the checkout then has. */
const OWN_COLOUR = '#0b6e4f';

const row = (title: string, value: string, means?: string): Html =>
  html`<dt>${title}</dt>
    <dd>${value}${means !== undefined && html`<span class="hint means">${means}</span>`}</dd>`;

/** What nobody changes here. */
function fixedFacts(texts: Texts, { id, live, acquirer, seller = {} }: Merchant): Html {
  const titleOf = (field: string): string => fill(texts.seller, { field: wordOf(texts.sellerFields, field) });
  return html`<dl class="facts">
    ${row(texts.merchant, String(id))} ${row(texts.mode, live ? texts.live : texts.test, texts.forGood)}
    ${row(texts.acquirer, acquirer, texts.means.acquirer)}
    ${Object.entries(seller).map(([field, text]) => row(titleOf(field), text, texts.means.seller))}
  </dl>`;
}

function facts(texts: Texts, merchant: Merchant): Html {
  const { name, live, dialect, strictItems, reserveOnDemand, secondFactor, refundProof = {}, colour } = merchant;
  const { means } = texts;
  const yesOrNo = (is: boolean): string => (is ? texts.yes : texts.no);
  return html`<dl class="facts">
    ${row(texts.name, name, means.name)} ${row(texts.dialect, dialect, means.dialect)}
    ${row(texts.colour, colour ?? '–', means.colour)}
    ${row(texts.refundProof, showRefundProof(refundProof) || '–', means.refundProof)}
    ${row(texts.secondFactor, yesOrNo(secondFactor), means.secondFactor)}
    ${row(texts.strictItems, yesOrNo(strictItems), means.strictItems)}
    ${!live && row(texts.reserveOnDemand, yesOrNo(reserveOnDemand), means.reserveOnDemand)}
  </dl>`;
}

/** `refused`: a form that could not be taken, so that nothing of it has to be typed again. */
function form(place: Place, texts: Texts, merchant: Merchant, refused?: Refused): Html {
  const { means } = texts;
  const typed = refused?.typed;
  const isWrong = (field: string): boolean => refused?.field === field;
  /** For the field itself, which is described by what it means and by what is wrong. */
  const marks = (field: string): Html =>
    isWrong(field)
      ? html`aria-invalid="true" aria-describedby="${field}-wrong ${field}-means"`
      : html`aria-describedby="${field}-means"`;
  const wrong = (field: string): Html =>
    html`${isWrong(field) && html`<p class="error" id="${field}-wrong">${refused?.text ?? ''}</p>`}`;
  const value = (field: string, saved: string): string => typed?.[field] ?? saved;
  const { name, live, dialect, strictItems, reserveOnDemand, secondFactor, refundProof = {}, colour = '' } = merchant;
  const hint = (id: string, text: string): Html => html`<p class="hint" id="${id}-means">${text}</p>`;
  const box = (field: 'strictItems' | 'reserveOnDemand' | 'secondFactor', is: boolean): Html =>
    html`<div class="field">
      <label
        ><input
          type="checkbox"
          name="${field}"
          value="on"
          aria-describedby="${field}-means"
          ${(typed ? typed[field] === 'on' : is) && html`checked`}
        />
        <span>${texts[field]}</span></label
      >
      ${hint(field, means[field])}
    </div>`;
  const option = (each: string): Html =>
    html`<option value="${each}" ${each === value('dialect', dialect) && html`selected`}>${each}</option>`;
  return html`<form class="stack settings" method="post" action="${homeOf(place)}/settings/change">
    <div class="field">
      <label for="merchant-name">${texts.name}</label>
      <input
        id="merchant-name"
        name="name"
        required
        maxlength="${LONGEST_NAME}"
        ${marks('name')}
        value="${value('name', name)}"
      />
      ${wrong('name')} ${hint('name', means.name)}
    </div>
    <div class="field">
      <label for="merchant-dialect">${texts.dialect}</label>
      <select id="merchant-dialect" name="dialect" aria-describedby="dialect-means">
        ${['spec', 'nexi'].map(option)}
      </select>
      ${hint('dialect', means.dialect)}
    </div>
    <div class="field">
      <label for="merchant-colour">${texts.colour}</label>
      <div class="picked">
        <input
          id="merchant-colour"
          name="colour"
          maxlength="7"
          autocomplete="off"
          ${marks('colour')}
          value="${value('colour', colour)}"
        />
        <input
          type="color"
          aria-label="${texts.pickColour}"
          value="${colour || OWN_COLOUR}"
          data-picks="merchant-colour"
          hidden
        />
      </div>
      ${wrong('colour')} ${hint('colour', means.colour)}
    </div>
    <div class="field">
      <label for="refund-proof">${texts.refundProofLabel}</label>
      <input
        id="refund-proof"
        name="refundProof"
        maxlength="400"
        autocomplete="off"
        placeholder="5000 SEK, 500 EUR"
        ${marks('refundProof')}
        value="${value('refundProof', showRefundProof(refundProof))}"
      />
      ${wrong('refundProof')} ${hint('refundProof', means.refundProof)}
    </div>
    ${box('secondFactor', secondFactor)} ${box('strictItems', strictItems)}
    ${!live && box('reserveOnDemand', reserveOnDemand)}
    <input type="hidden" name="shown" value="${value('shown', showFields(merchant))}" />
    <div><button class="primary">${consoleTexts(place.member.language).frame.save}</button></div>
  </form>`;
}

export function renderSettings(place: Place, refused?: Refused): string {
  const { merchant, role, language } = place.member;
  const texts = consoleTexts(language).settings;
  const { settings: title } = consoleTexts(language).frame.pages;
  const mayChange = grants(role, 'administer');
  const main = html`<h1>${title}</h1>
    ${renderNotice(refused && { tone: 'bad', text: refused.text }, language)}
    <div class="columns">
      <div>
        <section class="panel" aria-label="${title}">
          ${mayChange ? form(place, texts, merchant, refused) : facts(texts, merchant)}
        </section>
      </div>
      <div><section class="panel" aria-label="${texts.merchant}">${fixedFacts(texts, merchant)}</section></div>
    </div>`;
  return renderFrame(place, { title, name: 'settings', main });
}
