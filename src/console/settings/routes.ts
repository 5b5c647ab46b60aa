// The settings of a merchant: for all of its people to read, for admins to change.
import type { FastifyInstance } from 'fastify';
import { readRefundProof } from '../../domain/refund-proof.ts';
import { readColour } from '../../merchants/branding.ts';
import { changeMerchant, isMerchantName } from '../../merchants/merchants.ts';
import type { MerchantChange } from '../../merchants/merchants.ts';
import type { ConsoleContext } from '../context.ts';
import { pageFor, showPage } from '../page-reply.ts';
import { homeOf } from '../page/frame.ts';
import { fieldsOf } from '../form.ts';
import { provedActFor } from '../page/pieces.ts';
import { consoleTexts } from '../texts.ts';
import { actorOf } from '../visitor.ts';
import { renderSettings } from './page.ts';
import { changesIn } from './shown.ts';

export function routeSettings(app: FastifyInstance, context: ConsoleContext): void {
  const { pool } = context.payments.store;
  app.get(
    '/console/:merchantId/settings',
    pageFor(context, 'read', async (place) => renderSettings(place)),
  );

  app.post(
    '/console/:merchantId/settings/change',
    provedActFor(context, 'administer', { page: 'settings' }, async (place, request, reply) => {
      const fields = fieldsOf(request);
      const { name = '', dialect, colour = '', refundProof, strictItems, reserveOnDemand, secondFactor } = fields;
      const proof = refundProof === undefined ? undefined : readRefundProof(refundProof);
      const read = colour.trim() === '' ? null : readColour(colour);
      const texts = consoleTexts(place.member.language).settings;
      const refuse = (status: number, text: string, field?: string) =>
        showPage(request, reply, renderSettings(place, { typed: fields, text, ...(field && { field }) }), status);
      if (!isMerchantName(name.trim())) return refuse(400, texts.badName, 'name');
      if (dialect !== 'spec' && dialect !== 'nexi') return refuse(400, texts.badDialect);
      if (read === undefined) return refuse(400, texts.badColour, 'colour');
      if (refundProof !== undefined && proof === undefined) return refuse(400, texts.badRefundProof, 'refundProof');
      const isChanged = changesIn(fields);
      const settings: MerchantChange['settings'] = {
        ...(isChanged('name') && { name: name.trim() }),
        ...(isChanged('dialect') && { dialect }),
        // Only a form that showed it can take it away.
        ...(fields['shown'] !== undefined && isChanged('secondFactor') && { secondFactor: secondFactor === 'on' }),
        ...(isChanged('strictItems') && { strictItems: strictItems === 'on' }),
        ...(isChanged('reserveOnDemand') && { reserveOnDemand: reserveOnDemand === 'on' }),
        ...(proof && isChanged('refundProof') && { refundProof: proof }),
      };
      const { member } = place;
      const changed = await changeMerchant(pool, actorOf(member), member.merchant.id, {
        settings,
        ...(isChanged('colour') && { look: { colour: read } }),
      });
      if (changed.kind !== 'changed') return refuse(409, texts.conflict);
      return reply.redirect(`${homeOf(place)}/settings`, 303);
    }),
  );
}
