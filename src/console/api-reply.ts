// Authentication and authorization of the console's own API: 401 without a session, 404 for other people's merchants, 403
// if the role does not allow it.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Right } from '../domain/role.ts';
import type { ConsoleContext } from './context.ts';
import { noteRefusedAccess } from './refused.ts';
import { consoleTexts, fill, languageFor } from './texts.ts';
import { findMember, findVisitor, may } from './visitor.ts';
import type { Member, Visitor } from './visitor.ts';

type VisitorApi = (visitor: Visitor, request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;
type MemberApi = (member: Member, request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

/** A JSON response that is not cached. */
export const sendJson = (reply: FastifyReply, status: number, body: object): FastifyReply =>
  reply.code(status).header('cache-control', 'no-store').send(body);

/** In the visitor's language, since pages show it. */
export const notHere = ({ language }: Visitor) => ({ message: consoleTexts(language).acts.notYours });

const nobody = (request: FastifyRequest) => ({ message: consoleTexts(languageFor(request)).signIn.signInFirst });

function refuseWeak(
  context: ConsoleContext,
  visitor: Visitor,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  noteRefusedAccess(context, request, visitor);
  const { first } = consoleTexts(visitor.language).signIn.secondFactor;
  return sendJson(reply, 403, { reason: 'second_factor_needed', message: first });
}

/**
 * A route for the person, independent of a merchant. The return value is the body of a 200. `whileWeak`: also for people
 * who must first register a second factor.
 */
export function apiForVisitor(context: ConsoleContext, handle: VisitorApi, { whileWeak = false } = {}) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const visitor = await findVisitor(context, request);
    if (visitor === undefined) return sendJson(reply, 401, nobody(request));
    if (visitor.isWeak && !whileWeak) return refuseWeak(context, visitor, request, reply);
    reply.header('cache-control', 'no-store');
    return handle(visitor, request, reply);
  };
}

function whyNot({ role, merchant, language }: Member): string {
  const texts = consoleTexts(language).acts;
  if (merchant.disabledAt !== undefined) return texts.disabled;
  return fill(texts.notAllowed, { role: consoleTexts(language).team.roles[role] });
}

/** A route of a merchant, for its people with this right. The return value is the body of a 200. */
export function apiFor(context: ConsoleContext, right: Right, handle: MemberApi) {
  return apiForVisitor(context, async (visitor, request, reply) => {
    const member = await findMember(context, visitor, (request.params as { merchantId: string }).merchantId);
    if (member === undefined) noteRefusedAccess(context, request, visitor);
    if (member === undefined) return sendJson(reply, 404, notHere(visitor));
    await context.pace.begin(request, reply, member.merchant, visitor.person.id);
    if (!may(member, right)) noteRefusedAccess(context, request, visitor, member.merchant.id);
    if (!may(member, right)) return sendJson(reply, 403, { message: whyNot(member) });
    return handle(member, request, reply);
  });
}
