// The team routes of a merchant: invitations, roles, links and removal. For admins, with recent confirmation.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isRole } from '../../domain/role.ts';
import { addMember, changeRole, MOST_MEMBERS, removeMember } from '../../merchants/people.ts';
import { linkMember } from '../../merchants/sign-in-links.ts';
import { findLocked, unlockPerson } from '../../merchants/sign-in-lock.ts';
import { decideLinkRequest } from '../../merchants/sign-in-links.ts';
import { listLinkRequests } from '../../store/people/sign-in-links.ts';
import { listPeople } from '../../store/people/people.ts';
import type { ConsoleContext } from '../context.ts';
import { pageFor, showPage } from '../page-reply.ts';
import { homeOf } from '../page/frame.ts';
import type { Place } from '../page/frame.ts';
import { fieldsOf } from '../form.ts';
import { provedActFor } from '../page/pieces.ts';
import type { Notice } from '../page/pieces.ts';
import { consoleTexts, fill } from '../texts.ts';
import { takeFlash, flashAt } from '../flash.ts';
import { actorOf } from '../visitor.ts';
import { renderTeam } from './page.ts';

const textsFor = ({ member }: Place) => consoleTexts(member.language).team;

const personIdIn = ({ params }: FastifyRequest): string => (params as { personId: string }).personId;

export function routeTeam(app: FastifyInstance, context: ConsoleContext): void {
  const { pool } = context.payments.store;
  // If single sign-on is required, no links can be created here.
  const withLink = !context.signIn.onlyOidc;
  const linkTo = (secret: string): string => `${context.publicUrl()}/console/link/${secret}`;

  const show = async (place: Place, notice?: Notice, typed?: string): Promise<string> => {
    const people = await listPeople(pool, place.member.merchant.id);
    return renderTeam(place, {
      people,
      withLink,
      locked: await findLocked(pool, people),
      requests: await listLinkRequests(pool, place.member.merchant.id),
      ...(notice && { notice }),
      ...(typed !== undefined && { typed }),
    });
  };
  const tell = (place: Place, reply: FastifyReply, notice: Omit<Notice, 'tone'>): Promise<FastifyReply> =>
    flashAt(context, place.member, reply, `${homeOf(place)}/team`, { tone: 'good', ...notice });
  const refuserOf =
    (place: Place, request: FastifyRequest, reply: FastifyReply) =>
    async (status: number, text: string, typed?: string): Promise<FastifyReply> =>
      showPage(request, reply, await show(place, { tone: 'bad', text }, typed), status);
  const act = (work: (place: Place, request: FastifyRequest, reply: FastifyReply) => Promise<string | FastifyReply>) =>
    provedActFor(context, 'administer', { page: 'team' }, work);

  app.get(
    '/console/:merchantId/team',
    pageFor(context, 'administer', async (place, request, reply) =>
      show(place, await takeFlash<Notice>(context, place.member, request, reply)),
    ),
  );

  app.post(
    '/console/:merchantId/team/invite',
    act(async (place, request, reply) => {
      const { email = '', role = '' } = fieldsOf(request);
      const refuseAny = refuserOf(place, request, reply);
      const refuse = (status: number, text: string): Promise<FastifyReply> => refuseAny(status, text, email);
      if (!isRole(role)) return refuse(400, textsFor(place).chooseRole);
      const { id: merchantId } = place.member.merchant;
      const added = await addMember(
        pool,
        actorOf(place.member),
        { email: email.trim(), merchantId, role },
        { withLink },
      );
      switch (added.kind) {
        case 'bad_email':
          return refuse(400, textsFor(place).badEmail);
        case 'is_there':
          return refuse(409, textsFor(place).isThere);
        case 'too_many':
          return refuse(409, fill(textsFor(place).tooMany, { most: MOST_MEMBERS }));
        case 'no_merchant':
          return refuse(409, textsFor(place).noMerchant);
        case 'is_known':
          return refuse(409, textsFor(place).isKnown);
        case 'only_admin':
          return refuse(409, textsFor(place).onlyAdmin);
        case 'invited': {
          const { person, linkSecret } = added;
          if (linkSecret === undefined)
            return tell(place, reply, { text: fill(textsFor(place).invitedWithout, { email: person.email }) });
          const once = { label: textsFor(place).signInLink, secret: linkTo(linkSecret) };
          return tell(place, reply, {
            text: fill(textsFor(place)[added.waits ? 'asked' : 'invited'], { email: person.email }),
            once,
          });
        }
      }
    }),
  );

  app.post(
    '/console/:merchantId/team/:personId/role',
    act(async (place, request, reply) => {
      const { role = '' } = fieldsOf(request);
      const refuse = refuserOf(place, request, reply);
      if (!isRole(role)) return refuse(400, textsFor(place).chooseRole);
      const { member } = place;
      const changed = await changeRole(pool, actorOf(member), member.merchant.id, personIdIn(request), { role });
      if (changed.kind === 'last_admin') return refuse(409, textsFor(place).lastAdmin);
      if (changed.kind === 'no_person') return refuse(404, textsFor(place).noPerson);
      // An admin who drops their own role may no longer see this page.
      const isOwn = changed.person.id === member.person.id && role !== 'admin';
      return reply.redirect(isOwn ? homeOf(place) : `${homeOf(place)}/team`, 303);
    }),
  );

  app.post(
    '/console/:merchantId/team/:personId/link',
    act(async (place, request, reply) => {
      const { member } = place;
      if (!withLink) return refuserOf(place, request, reply)(409, textsFor(place).onlyCompany);
      const linked = await linkMember(pool, actorOf(member), member.merchant.id, personIdIn(request));
      const refuse = refuserOf(place, request, reply);
      if (linked.kind === 'no_person') return refuse(404, textsFor(place).noPerson);
      if (linked.kind === 'belongs_elsewhere') return refuse(409, textsFor(place).belongsElsewhere);
      if (linked.kind === 'only_admin') return refuse(409, textsFor(place).onlyAdmin);
      const once = { label: textsFor(place).signInLink, secret: linkTo(linked.linkSecret) };
      const text = fill(textsFor(place)[linked.kind], { email: linked.person.email });
      return tell(place, reply, { text, once });
    }),
  );

  for (const isApproved of [true, false])
    app.post(
      `/console/:merchantId/team/requests/:requestId/${isApproved ? 'approve' : 'refuse'}`,
      act(async (place, request, reply) => {
        const { member } = place;
        const { requestId } = request.params as { requestId: string };
        const decided = await decideLinkRequest(pool, actorOf(member), member.merchant.id, requestId, isApproved);
        const refuse = refuserOf(place, request, reply);
        if (decided.kind === 'gone') return refuse(404, textsFor(place).requestGone);
        if (decided.kind === 'own') return refuse(409, textsFor(place).ownRequest);
        return tell(place, reply, { text: fill(textsFor(place)[decided.kind], decided) });
      }),
    );

  app.post(
    '/console/:merchantId/team/:personId/unlock',
    act(async (place, request, reply) => {
      const { member } = place;
      const unlocked = await unlockPerson(pool, actorOf(member), personIdIn(request), member.merchant.id);
      const refuse = refuserOf(place, request, reply);
      if (unlocked.kind === 'no_person') return refuse(404, textsFor(place).noPerson);
      if (unlocked.kind === 'belongs_elsewhere') return refuse(409, textsFor(place).belongsElsewhere);
      return reply.redirect(`${homeOf(place)}/team`, 303);
    }),
  );

  app.post(
    '/console/:merchantId/team/:personId/remove',
    act(async (place, request, reply) => {
      const { member } = place;
      const removed = await removeMember(pool, actorOf(member), member.merchant.id, personIdIn(request));
      const refuse = refuserOf(place, request, reply);
      if (removed.kind === 'last_admin') return refuse(409, textsFor(place).lastAdmin);
      if (removed.kind === 'no_person') return refuse(404, textsFor(place).noPerson);
      const isOwn = removed.person.id === member.person.id;
      return reply.redirect(isOwn ? `${place.root}/console` : `${homeOf(place)}/team`, 303);
    }),
  );
}
