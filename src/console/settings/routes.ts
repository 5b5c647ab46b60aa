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
import { HIDDEN, pageFor, showPage } from '../page-reply.ts';
import { homeOf, renderFrame } from '../page/frame.ts';
import type { Place } from '../page/frame.ts';
import { fieldsOf, provedActFor, renderNotice } from '../page/pieces.ts';
import type { Notice } from '../page/pieces.ts';
import { actorOf } from '../visitor.ts';

const OF_SELLER = 'On invoices; set by kassa merchant update.';

const MEANS = {
  name: 'Shown to consumers on the checkout and on invoices.',
  dialect: 'How the API spells its answers: spec, or nexi for programs that were made for another service.',
  strictItems: 'Charges, refunds and cancels may only name items that are still there.',
  reserveOnDemand: 'A charge or cancel of a payment that nobody has paid reserves it first. Test merchants only.',
  colour: 'Of the checkout’s buttons, as six hex digits. Empty: the colour that everybody has.',
  refundProof:
    'A refund that brings what is refunded of a payment above the amount of its currency asks who it is, by a passkey or a code; in a currency without an amount each does. Empty: none does.',
} as const;

function facts({
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
}: Merchant): Html {
  const row = (title: string, value: string, means?: string): Html =>
    html`<dt>${title}</dt>
      <dd>${value}${means !== undefined && html`<span class="hint means">${means}</span>`}</dd>`;
  const yesOrNo = (is: boolean): string => (is ? 'yes' : 'no');
  return html`<dl class="facts">
    ${row('Merchant', String(id))} ${row('Mode', live ? 'live' : 'test', 'For good.')} ${row('Name', name, MEANS.name)}
    ${row('Dialect', dialect, MEANS.dialect)} ${row('Strict items', yesOrNo(strictItems), MEANS.strictItems)}
    ${row('Reserve on demand', yesOrNo(reserveOnDemand), MEANS.reserveOnDemand)}
    ${row('Refunds that ask for proof', showRefundProof(refundProof) || '–', MEANS.refundProof)}
    ${row('Colour', colour ?? '–', MEANS.colour)}
    ${row('Acquirer', acquirer, 'Where new reservations are made. Set by whoever runs this Kassa: kassa merchant update.')}
    ${Object.entries(seller).map(([field, text]) => row(`Seller: ${field}`, text, OF_SELLER))}
  </dl>`;
}

type Fields = Readonly<Record<string, string>>;

/** `typed`: of a form that could not be taken, so that nothing of it has to be typed again. */
function form(place: Place, merchant: Merchant, typed?: Fields): Html {
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
    <h2 id="change">Change</h2>
    <form class="stack" method="post" action="${homeOf(place)}/settings/change">
      <div class="field">
        <label for="merchant-name">Name</label>
        <input id="merchant-name" name="name" required maxlength="${LONGEST_NAME}" value="${value('name', name)}" />
      </div>
      <div class="field">
        <label for="merchant-dialect">Dialect</label>
        <select id="merchant-dialect" name="dialect">
          ${['spec', 'nexi'].map(option)}
        </select>
      </div>
      <div class="field">
        <label for="merchant-colour">Colour</label>
        <input id="merchant-colour" name="colour" maxlength="7" autocomplete="off" value="${value('colour', colour)}" />
      </div>
      <div class="field">
        <label for="refund-proof">Refunds above these amounts ask for proof</label>
        <input
          id="refund-proof"
          name="refundProof"
          maxlength="400"
          autocomplete="off"
          placeholder="5000 SEK, 500 EUR"
          value="${value('refundProof', showRefundProof(refundProof))}"
        />
      </div>
      ${box('strictItems', 'Strict items', strictItems)}
      ${!live && box('reserveOnDemand', 'Reserve on demand', reserveOnDemand)}
      <button class="primary">Save</button>
    </form>
  </section>`;
}

function renderSettings(place: Place, notice?: Notice, typed?: Fields): string {
  const { merchant, role } = place.member;
  const main = html`<h1>Settings</h1>
    ${renderNotice(notice, place.member.language)}
    <div class="columns">
      <div><section class="panel" aria-label="Settings">${facts(merchant)}</section></div>
      <div>${grants(role, 'administer') && form(place, merchant, typed)}</div>
    </div>`;
  return renderFrame(place, { title: 'Settings', name: 'settings', main });
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
      const refuse = (status: number, text: string) =>
        showPage(request, reply, renderSettings(place, { tone: 'bad', text }, fields), status);
      if (!isMerchantName(name.trim())) return refuse(400, 'Give it a name.');
      if (dialect !== 'spec' && dialect !== 'nexi') return refuse(400, 'Choose a dialect.');
      if (read === undefined) return refuse(400, 'The colour must be six hex digits, such as #0b6e4f.');
      if (refundProof !== undefined && proof === undefined)
        return refuse(400, 'Write amounts with their currencies, one for each: 5000 SEK, 500 EUR.');
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
      if (changed.kind !== 'changed')
        return refuse(409, 'These do not go together: on demand reserves only a test merchant of the simulator.');
      return reply.redirect(`${homeOf(place)}/settings`, 303);
    }),
  );
}
