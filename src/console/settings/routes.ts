// The settings of a merchant with what each means: for all of its people to read, for admins to change.
import type { FastifyInstance } from 'fastify';
import { grants } from '../../domain/role.ts';
import type { Merchant } from '../../domain/merchant.ts';
import { readRefundProof, showRefundProof } from '../../domain/refund-proof.ts';
import { readColour } from '../../merchants/look.ts';
import { changeMerchant, isMerchantName, LONGEST_NAME } from '../../merchants/merchants.ts';
import type { MerchantChange } from '../../merchants/merchants.ts';
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import type { ConsoleContext } from '../context.ts';
import { frameTexts } from '../languages/frame.ts';
import { settingsTexts } from '../languages/settings.ts';
import { fill, wordOf } from '../languages/texts.ts';
import { HIDDEN, pageFor, showPage } from '../page-reply.ts';
import { homeOf, renderFrame } from '../page/frame.ts';
import type { Place } from '../page/frame.ts';
import { fieldsOf, provedActFor, renderNotice } from '../page/pieces.ts';
import type { Notice } from '../page/pieces.ts';
import { actorOf } from '../visitor.ts';

type Texts = ReturnType<typeof settingsTexts>;

function facts(texts: Texts, merchant: Merchant): Html {
  const {
    id,
    live,
    name,
    dialect,
    strictItems,
    reserveOnDemand,
    acquirer,
    refundProof = {},
    colour,
    seller = {},
  } = merchant;
  const { means: why } = texts;
  const row = (title: string, value: string, means?: string): Html =>
    html`<dt>${title}</dt>
      <dd>${value}${means !== undefined && html`<span class="hint means">${means}</span>`}</dd>`;
  const sellerTitle = (field: string): string => fill(texts.seller, { field: wordOf(texts.sellerFields, field) });
  const yesOrNo = (is: boolean): string => (is ? texts.yes : texts.no);
  return html`<dl class="facts">
    ${row(texts.merchant, String(id))} ${row(texts.mode, live ? texts.live : texts.test, texts.forGood)}
    ${row(texts.name, name, why.name)} ${row(texts.dialect, dialect, why.dialect)}
    ${row(texts.strictItems, yesOrNo(strictItems), why.strictItems)}
    ${row(texts.reserveOnDemand, yesOrNo(reserveOnDemand), why.reserveOnDemand)}
    ${row(texts.refundProof, showRefundProof(refundProof) || '–', why.refundProof)}
    ${row(texts.colour, colour ?? '–', why.colour)} ${row(texts.acquirer, acquirer, why.acquirer)}
    ${Object.entries(seller).map(([field, text]) => row(sellerTitle(field), text, why.seller))}
  </dl>`;
}

type Fields = Readonly<Record<string, string>>;

/** `typed`: of a form that could not be taken, so that nothing of it has to be typed again. */
function form(place: Place, texts: Texts, merchant: Merchant, typed?: Fields): Html {
  const value = (field: string, saved: string): string => typed?.[field] ?? saved;
  const { name, live, dialect, strictItems, reserveOnDemand, refundProof = {}, colour = '' } = merchant;
  const box = (field: 'strictItems' | 'reserveOnDemand', title: string, is: boolean): Html =>
    html`<label
      ><input type="checkbox" name="${field}" value="on" ${(typed ? typed[field] === 'on' : is) && html`checked`} />
      <span>${title}</span></label
    >`;
  const option = (each: string): Html =>
    html`<option value="${each}" ${each === value('dialect', dialect) && html`selected`}>${each}</option>`;
  return html`<section class="panel" aria-labelledby="change">
    <h2 id="change">${texts.change}</h2>
    <form class="stack" method="post" action="${homeOf(place)}/settings/change">
      <div class="field">
        <label for="merchant-name">${texts.name}</label>
        <input id="merchant-name" name="name" required maxlength="${LONGEST_NAME}" value="${value('name', name)}" />
      </div>
      <div class="field">
        <label for="merchant-dialect">${texts.dialect}</label>
        <select id="merchant-dialect" name="dialect">
          ${['spec', 'nexi'].map(option)}
        </select>
      </div>
      <div class="field">
        <label for="merchant-colour">${texts.colour}</label>
        <input id="merchant-colour" name="colour" maxlength="7" autocomplete="off" value="${value('colour', colour)}" />
      </div>
      <div class="field">
        <label for="refund-proof">${texts.refundProofLabel}</label>
        <input
          id="refund-proof"
          name="refundProof"
          maxlength="400"
          autocomplete="off"
          placeholder="5000 SEK, 500 EUR"
          value="${value('refundProof', showRefundProof(refundProof))}"
        />
      </div>
      ${box('strictItems', texts.strictItems, strictItems)}
      ${!live && box('reserveOnDemand', texts.reserveOnDemand, reserveOnDemand)}
      <button class="primary">${frameTexts(place.member.language).save}</button>
    </form>
  </section>`;
}

function renderSettings(place: Place, notice?: Notice, typed?: Fields): string {
  const { merchant, role, language } = place.member;
  const texts = settingsTexts(language);
  const { settings: title } = frameTexts(language).pages;
  const main = html`<h1>${title}</h1>
    ${renderNotice(notice, language)}
    <div class="columns">
      <div><section class="panel" aria-label="${title}">${facts(texts, merchant)}</section></div>
      <div>${grants(role, 'administer') && form(place, texts, merchant, typed)}</div>
    </div>`;
  return renderFrame(place, { title, name: 'settings', main });
}

export function routeSettings(app: FastifyInstance, context: ConsoleContext): void {
  const { pool } = context.payments.store;
  app.get(
    '/console/:merchantId/settings',
    HIDDEN,
    pageFor(context, 'read', async (place) => renderSettings(place)),
  );

  app.post(
    '/console/:merchantId/settings/change',
    HIDDEN,
    provedActFor(context, 'administer', 'settings', async (place, request, reply) => {
      const fields = fieldsOf(request);
      const { name = '', dialect, colour = '', refundProof, strictItems, reserveOnDemand } = fields;
      const proof = refundProof === undefined ? undefined : readRefundProof(refundProof);
      const read = colour.trim() === '' ? null : readColour(colour);
      const texts = settingsTexts(place.member.language);
      const refuse = (status: number, text: string) =>
        showPage(request, reply, renderSettings(place, { tone: 'bad', text }, fields), status);
      if (!isMerchantName(name.trim())) return refuse(400, texts.badName);
      if (dialect !== 'spec' && dialect !== 'nexi') return refuse(400, texts.badDialect);
      if (read === undefined) return refuse(400, texts.badColour);
      if (refundProof !== undefined && proof === undefined) return refuse(400, texts.badRefundProof);
      const settings: MerchantChange['settings'] = {
        name: name.trim(),
        dialect: dialect,
        strictItems: strictItems === 'on',
        reserveOnDemand: reserveOnDemand === 'on',
        ...(proof && { refundProof: proof }),
      };
      const { member } = place;
      const changed = await changeMerchant(pool, actorOf(member), member.merchant.id, {
        settings,
        look: { colour: read },
      });
      if (changed.kind !== 'changed') return refuse(409, texts.conflict);
      return reply.redirect(`${homeOf(place)}/settings`, 303);
    }),
  );
}
