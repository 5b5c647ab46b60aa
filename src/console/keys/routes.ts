// The routes of secret keys, for developers, with recent confirmation. The secret is shown once, on the page after its
// creation.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Right } from '../../domain/role.ts';
import { grantsScope, ownScopes, SCOPES } from '../../domain/scope.ts';
import type { Scope } from '../../domain/scope.ts';
import { issueKey, LONGEST_KEY_NAME, MOST_KEYS, revokeKey } from '../../merchants/keys.ts';
import { listKeys } from '../../store/merchants/keys.ts';
import type { KeyTerms } from '../../store/merchants/keys.ts';
import type { ConsoleContext } from '../context.ts';
import { pageFor, showPage } from '../page-reply.ts';
import { homeOf } from '../page/frame.ts';
import type { Place } from '../page/frame.ts';
import { fieldsOf } from '../form.ts';
import { provedActFor } from '../page/pieces.ts';
import type { Notice } from '../page/pieces.ts';
import { consoleTexts, fill } from '../texts.ts';
import { takeFlash, flashAt } from '../flash.ts';
import { actorOf, may } from '../visitor.ts';
import { LASTS, renderKeys } from './page.ts';

function readTerms(fields: Readonly<Record<string, string>>): KeyTerms | undefined {
  const scopes = SCOPES.filter((scope) => fields[scope] === 'on');
  const { name = '', days = '' } = fields;
  if (scopes.length === 0 || !(LASTS as readonly string[]).includes(days)) return undefined;
  const own = ownScopes(scopes);
  return {
    name: name.trim(),
    ...(own && { scopes: own }),
    ...(days !== '' && { expires: { afterDays: Number(days) } }),
  };
}

export function routeKeys(app: FastifyInstance, context: ConsoleContext): void {
  const { pool } = context.payments.store;
  const show = async (place: Place, notice?: Notice, typed?: string): Promise<string> =>
    renderKeys(place, {
      keys: await listKeys(pool, place.member.merchant.id),
      ...(notice && { notice }),
      ...(typed !== undefined && { typed }),
    });

  app.get(
    '/console/:merchantId/keys',
    pageFor(context, 'develop', async (place, request, reply) =>
      show(place, await takeFlash<Notice>(context, place.member, request, reply)),
    ),
  );

  app.post(
    '/console/:merchantId/keys/create',
    provedActFor(context, 'develop', { page: 'keys' }, async (place, request, reply) => {
      const fields = fieldsOf(request);
      const refuse = async (status: number, text: string): Promise<FastifyReply> =>
        showPage(request, reply, await show(place, { tone: 'bad', text }, fields['name'] ?? ''), status);
      const texts = consoleTexts(place.member.language).keys;
      const terms = readTerms(fields);
      if (terms === undefined) return refuse(400, texts.chooseScopes);
      // Keys cannot have more rights than their creator.
      const lacks = (scope: Scope, right: Right): boolean =>
        grantsScope(terms.scopes, scope) && !may(place.member, right);
      const role = consoleTexts(place.member.language).team.roles[place.member.role];
      if (lacks('audit', 'administer')) return refuse(403, fill(texts.noAudit, { role }));
      if (lacks('money', 'move money')) return refuse(403, fill(texts.noMoney, { role }));
      const issued = await issueKey(pool, actorOf(place.member), place.member.merchant.id, terms);
      switch (issued.kind) {
        case 'bad_name':
          return refuse(400, fill(texts.badName, { longest: LONGEST_KEY_NAME }));
        case 'bad_expiry':
          return refuse(400, texts.badExpiry);
        case 'too_many':
          return refuse(409, fill(texts.tooMany, { most: MOST_KEYS }));
        case 'no_merchant':
          return refuse(409, texts.noMerchant);
        case 'issued': {
          const once = { label: texts.secretKey, secret: issued.secret };
          const notice: Notice = { tone: 'good', text: texts.issued, once };
          return flashAt(context, place.member, reply, `${homeOf(place)}/keys`, notice);
        }
      }
    }),
  );

  app.post(
    '/console/:merchantId/keys/:keyId/revoke',
    provedActFor(context, 'develop', { page: 'keys' }, async (place, request: FastifyRequest, reply) => {
      const { keyId } = request.params as { keyId: string };
      const revoked = await revokeKey(pool, actorOf(place.member), keyId, place.member.merchant.id);
      if (revoked.kind === 'revoked') return reply.redirect(`${homeOf(place)}/keys`, 303);
      return showPage(
        request,
        reply,
        await show(place, { tone: 'bad', text: consoleTexts(place.member.language).keys.noKey }),
        404,
      );
    }),
  );
}
