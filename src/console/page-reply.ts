// How pages of the console are sent, and how their routes find who is looking.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { spendBytes } from '../server/rate-limit.ts';
import { sendPage } from '../pages/asset.ts';
import { pageHeaders } from '../pages/headers.ts';
import type { Right } from '../domain/role.ts';
import { rootOf } from './context.ts';
import type { ConsoleContext } from './context.ts';
import { wayBackOf } from './kept-form.ts';
import { renderNotHere } from './page/not-here.ts';
import { renderNowhere } from './page/sign-in.ts';
import type { Place } from './page/frame.ts';
import { html } from '../pages/html.ts';
import { renderOutside } from './page/outside.ts';
import { noteRefusedAccess } from './refused.ts';
import { consoleTexts, languageFor } from './texts.ts';
import { findMember, findVisitor, may } from './visitor.ts';
import type { Visitor } from './visitor.ts';

export const SECOND_FACTOR = '/console/second-factor';
/** A form holds a few short fields. */
export const FORM_BYTES = 16_384;

// Nobody frames it, nobody keeps it; its requests say where they come from.
const PAGE_HEADERS = { ...pageHeaders("'none'"), 'referrer-policy': 'same-origin', 'cache-control': 'no-store' };

/** The demo shop, where it sells for this merchant: on the same port, or where shops reach it. */
export function demoOf(context: ConsoleContext, { root, member }: Place): { readonly demoUrl?: string } {
  if (context.demoMerchantId !== member.merchant.id) return {};
  const shop = context.shopUrl() === context.publicUrl() ? root : context.shopUrl();
  return { demoUrl: `${shop}/demo` };
}

export const showPage = (
  request: FastifyRequest,
  reply: FastifyReply,
  page: string,
  status = 200,
): Promise<FastifyReply> => {
  spendBytes(request, page.length);
  return sendPage(request, reply.code(status).headers(PAGE_HEADERS), page);
};

type VisitorPage = (visitor: Visitor, request: FastifyRequest, reply: FastifyReply) => Promise<string | FastifyReply>;
type MemberPage = (place: Place, request: FastifyRequest, reply: FastifyReply) => Promise<string | FastifyReply>;

/** Redirects to sign-in and back; the form of an idle session is kept. */
async function leadToSignIn(
  context: ConsoleContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const root = rootOf(context);
  const next = request.method === 'GET' ? root + request.url : await wayBackOf(context, request, reply);
  const query = next === undefined ? '' : `?next=${encodeURIComponent(next)}`;
  return reply.redirect(`${root}/console/sign-in${query}`, 303);
}

/** The way to where a second factor is registered, and from there to the page that was asked for. */
export function leadToSecondFactor(
  context: ConsoleContext,
  { method, url }: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const root = rootOf(context);
  const next = method === 'GET' ? `?next=${encodeURIComponent(root + url)}` : '';
  return reply.redirect(`${root}${SECOND_FACTOR}${next}`, 303);
}

/** A page of a person's own, whatever the merchant. `whileWeak`: also of who has to register a second factor first. */
export function pageForVisitor(context: ConsoleContext, render: VisitorPage, { whileWeak = false } = {}) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const visitor = await findVisitor(context, request);
    if (visitor === undefined) return leadToSignIn(context, request, reply);
    if (visitor.isWeak && !whileWeak) {
      // A page is only put off; an act is refused.
      if (request.method !== 'GET') noteRefusedAccess(context, request, visitor);
      return leadToSecondFactor(context, request, reply);
    }
    const page = await render(visitor, request, reply);
    return typeof page === 'string' ? showPage(request, reply, page) : page;
  };
}

/** The first of a person's merchants: in whose frame the pages stand that are of none. */
export async function firstPlaceOf(context: ConsoleContext, visitor: Visitor): Promise<Place | undefined> {
  const [first] = visitor.person.memberships;
  const member = first && (await findMember(context, visitor, String(first.merchantId)));
  return member && { root: rootOf(context), member };
}

/** That there is no such page, or none of theirs. */
export async function showNotHere(
  context: ConsoleContext,
  visitor: Visitor,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const place = await firstPlaceOf(context, visitor);
  const page = place ? renderNotHere(place) : renderNowhere(visitor.language, rootOf(context));
  return showPage(request, reply, page, 404);
}

/** To a person: a program is answered as everywhere. */
export function showTooMany(
  context: ConsoleContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const language = languageFor(request);
  const { tooMany, tooManyText } = consoleTexts(language).frame;
  const page = renderOutside(language, rootOf(context), tooMany, 'too-many', html`<p>${tooManyText}</p>`);
  return showPage(request, reply, page, 429);
}

/** A page of a merchant, for those of its people who have the right to it. */
export function pageFor(context: ConsoleContext, right: Right, render: MemberPage) {
  return pageForVisitor(context, async (visitor, request, reply) => {
    const root = rootOf(context);
    const member = await findMember(context, visitor, (request.params as { merchantId: string }).merchantId);
    if (member === undefined) {
      noteRefusedAccess(context, request, visitor);
      return showNotHere(context, visitor, request, reply);
    }
    await context.pace.begin(request, reply, member.merchant, visitor.person.id);
    if (!may(member, right)) noteRefusedAccess(context, request, visitor, member.merchant.id);
    if (!may(member, right)) return showPage(request, reply, renderNotHere({ root, member }), 404);
    const page = await render({ root, member }, request, reply);
    // What a role allows in part is refused where the rest of it is.
    if (reply.statusCode === 403) noteRefusedAccess(context, request, visitor, member.merchant.id);
    return page;
  });
}
