// The console's API for passkeys: sign-in, confirmation and registration, each with a challenge and a response; and the
// form to remove one.
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { changeCredential } from '../merchants/sign-in.ts';
import type { Language } from '../pages/language.ts';
import * as Type from '../schema/type.ts';
import { addPasskey, deletePasskey } from '../store/people/passkeys.ts';
import { findPerson } from '../store/people/people.ts';
import { accountOf, isLastWay } from './account.ts';
import { apiForVisitor, sendJson } from './api-reply.ts';
import { rootOf } from './context.ts';
import type { ConsoleContext } from './context.ts';
import { fieldOf } from './form.ts';
import { pageForVisitor } from './page-reply.ts';
import { browserName } from './page/browser-name.ts';
import { renderLastWay } from './page/password.ts';
import { proveAndSend } from './kept-form.ts';
import { asAdding, requireProof } from './proof.ts';
import { noteRefusedSignIn } from './refused.ts';
import { consoleTexts, languageFor } from './texts.ts';
import { actorOf } from './visitor.ts';
import type { Visitor } from './visitor.ts';
import { letIn, renewProof } from './sign-in/begin.ts';
import { optionsToAdd, optionsToAsk, readAnswer, siteOf, verifyPasskey } from './sign-in/passkeys.ts';
import type { Site } from './sign-in/passkeys.ts';

const LONGEST_NAME = 60;
const LONGEST_ID = 1_400;
// With a certificate or two; answers to challenges are a tenth of it.
const ANSWER_BYTES = 65_536;

// What the library reads further is checked by it.
const ANSWER = Type.Object({
  name: Type.Optional(Type.String({ maxLength: LONGEST_NAME })),
  response: Type.Object(
    {
      id: Type.String({ minLength: 1, maxLength: LONGEST_ID }),
      response: Type.Object({ clientDataJSON: Type.String() }, { additionalProperties: true }),
    },
    { additionalProperties: true },
  ),
});

const ANSWERED = { schema: { body: ANSWER }, bodyLimit: ANSWER_BYTES };

const REASONS = { wrong: 'wrong_passkey', notAdded: 'not_added', noSite: 'no_site' } as const;
const STATUSES = { wrong: 401, notAdded: 409, noSite: 409 } as const;

/** In the visitor's language, since the page shows it. */
const refuse = (reply: FastifyReply, language: Language, why: keyof typeof REASONS): FastifyReply =>
  sendJson(reply, STATUSES[why], { reason: REASONS[why], message: consoleTexts(language).signIn.passkey[why] });

const answerIn = <Response>({ body }: FastifyRequest): { readonly name?: string; readonly response: Response } =>
  body as { name?: string; response: Response };

type WithSite = (site: Site, request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;
type WithVisitor = (site: Site, visitor: Visitor, request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

export function routePasskeys(app: FastifyInstance, context: ConsoleContext): void {
  const { pool } = context.payments.store;
  const at = (what: string): string => `/console/api/passkeys/${what}`;
  const withSite =
    (handle: WithSite) =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
      const site = siteOf(context);
      if (site === undefined) return refuse(reply, languageFor(request), 'noSite');
      reply.header('cache-control', 'no-store');
      return handle(site, request, reply);
    };
  /** Of who is in, also where they have to register a second factor first. */
  const withVisitor = (handle: WithVisitor) =>
    withSite((site, request, reply) =>
      apiForVisitor(context, (visitor) => handle(site, visitor, request, reply), { whileWeak: true })(request, reply),
    );

  app.post(
    at('sign-in/options'),
    { onRequest: context.signInLimit },
    withSite((site) => optionsToAsk(pool, site, 'sign-in')),
  );

  app.post(
    at('sign-in'),
    { ...ANSWERED, onRequest: context.signInLimit },
    withSite(async (site, request, reply) => {
      const { response } = answerIn<AuthenticationResponseJSON>(request);
      const answered = await readAnswer(pool, site, 'sign-in', response);
      const isIn = answered && (await letIn(context, request, reply, { ...answered, method: 'passkey' }));
      if (isIn) return {};
      const person = answered && (await findPerson(pool, answered.personId));
      noteRefusedSignIn(context, request, { method: 'passkey', reason: 'wrong', person });
      return refuse(reply, languageFor(request), 'wrong');
    }),
  );

  app.post(
    at('prove/options'),
    withVisitor(async (site, { person, session }) => optionsToAsk(pool, site, `prove ${session.id}`, person)),
  );

  app.post(
    at('prove'),
    ANSWERED,
    withVisitor(async (site, visitor, request, reply) => {
      const { response } = answerIn<AuthenticationResponseJSON>(request);
      const answered = await readAnswer(pool, site, `prove ${visitor.session.id}`, response);
      if (answered?.personId !== visitor.person.id || !(await answered.take(pool))) {
        noteRefusedSignIn(context, request, { method: 'passkey', reason: 'wrong', person: visitor.person });
        return refuse(reply, visitor.language, 'wrong');
      }
      await renewProof(context, reply, visitor);
      return {};
    }),
  );

  app.post(
    at('add/options'),
    withVisitor(
      async (site, visitor, _request, reply) =>
        requireProof(asAdding(visitor), reply) ?? optionsToAdd(pool, site, visitor.person, `add ${visitor.session.id}`),
    ),
  );

  app.post(
    at('add'),
    ANSWERED,
    withVisitor(async (site, visitor, request, reply) => {
      const refused = requireProof(asAdding(visitor), reply);
      if (refused) return refused;
      const { name, response } = answerIn<RegistrationResponseJSON>(request);
      const purpose = `add ${visitor.session.id}`;
      const shown = name?.trim() || browserName(request.headers['user-agent'] ?? '', visitor.language);
      const { person } = visitor;
      const verified = await verifyPasskey(pool, site, { personId: person.id, name: shown, purpose, response });
      const isAdded =
        verified !== undefined &&
        (await changeCredential(pool, actorOf(visitor), visitor, {
          after: { passkey: shown },
          change: (within) => addPasskey(within, verified),
        }));
      if (isAdded && visitor.isWeak) await renewProof(context, reply, visitor);
      return isAdded ? {} : refuse(reply, visitor.language, 'notAdded');
    }),
  );

  app.post(
    '/console/account/passkeys/remove',
    pageForVisitor(context, async (visitor, request, reply) => {
      const root = rootOf(context);
      const back = `${root}/console/account`;
      if (await proveAndSend(context, visitor, request, reply, back)) return reply;
      const [account, id] = [await accountOf(context, visitor), fieldOf(request, 'id')];
      const passkey = account.passkeys.find((each) => each.id === id);
      if (passkey === undefined) return reply.redirect(back, 303);
      if (isLastWay(account) && fieldOf(request, 'confirmed') !== 'yes')
        return renderLastWay(account, `${back}/passkeys/remove`, id);
      await changeCredential(pool, actorOf(visitor), visitor, {
        before: { passkey: passkey.name },
        change: (within) => deletePasskey(within, visitor.person.id, id),
      });
      return reply.redirect(back, 303);
    }),
  );
}
