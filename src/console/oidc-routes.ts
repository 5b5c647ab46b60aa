// The routes of single sign-on. The state of a request is in a cookie while the browser is at the provider; a callback is
// only accepted with it.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { OidcConfig } from '../config/sign-in.ts';
import { followGroups } from '../merchants/group-roles.ts';
import { findPerson } from '../store/people/people.ts';
import { rootOf } from './context.ts';
import type { ConsoleContext } from './context.ts';
import { readCookie, setCookie } from './cookie.ts';
import { showPage } from './page-reply.ts';
import { renderProviderProblem } from './page/sign-in.ts';
import { ownPath } from './proof.ts';
import type { ConsoleTexts } from './texts.ts';
import { consoleTexts, fill, languageFor } from './texts.ts';
import { letIn } from './sign-in/begin.ts';
import { OidcProvider } from './sign-in/oidc.ts';
import type { Errand } from './sign-in/oidc.ts';
import { noteRefusedSignIn } from './refused.ts';
import { findVisitor } from './visitor.ts';

const COOKIE = 'kassa-oidc';
const ERRAND_SECONDS = 900;

// For the log, beside what the library found.
const SAID = {
  failed: 'somebody was not let in by the sign-in provider',
  untrusted: 'the ID token is signed by no key of the sign-in provider',
  keyless: 'the keys of the sign-in provider cannot be fetched, so its ID token cannot be checked',
};

type Kept = Errand & {
  readonly next: string;
  /** For a signed-in person who confirms their identity. */
  readonly isProof?: boolean;
};

const write = (kept: Kept): string => Buffer.from(JSON.stringify(kept)).toString('base64url');

/** Only the browser itself could have changed it, which is harmless. */
function read(text: string | undefined): Kept | undefined {
  try {
    const kept = JSON.parse(Buffer.from(text ?? '', 'base64url').toString()) as Partial<Kept> | null;
    const { state, nonce, verifier, next } = kept ?? {};
    const isWhole = [state, nonce, verifier, next].every((each) => typeof each === 'string' && each !== '');
    return isWhole ? (kept as Kept) : undefined;
  } catch {
    return undefined;
  }
}

export function routeOidc(app: FastifyInstance, context: ConsoleContext, settings: OidcConfig): void {
  const { pool } = context.payments.store;
  const door = { onRequest: context.signInLimit };
  const provider = new OidcProvider(settings, () => `${context.publicUrl()}/console/oidc/callback`);
  type Problems = ConsoleTexts['signIn']['company'];
  /** In the person's language, if they are signed in. */
  const refuse = async (
    request: FastifyRequest,
    reply: FastifyReply,
    explain: (problems: Problems) => string,
    status: number,
  ): Promise<FastifyReply> => {
    const language = (await findVisitor(context, request))?.language ?? languageFor(request);
    const page = renderProviderProblem(language, rootOf(context), explain(consoleTexts(language).signIn.company));
    return showPage(request, reply, page, status);
  };

  // Nothing is changed by it but what this browser keeps.
  app.get('/console/oidc', door, async (request, reply) => {
    const query = request.query as { next?: unknown; prove?: unknown };
    const [next, isProof] = [ownPath(rootOf(context), query.next), query.prove !== undefined];
    const begun = await provider.begin(isProof).catch((error: unknown) => {
      request.log.warn({ err: error, issuer: settings.issuer }, 'the sign-in provider cannot be reached');
    });
    if (!begun) return refuse(request, reply, ({ away }) => away, 503);
    const { url, errand } = begun;
    const value = write({ ...errand, next, isProof });
    setCookie(reply, context.publicUrl(), { name: COOKIE, value, seconds: ERRAND_SECONDS });
    return reply.redirect(url, 303);
  });

  // The provider sends browsers here; what they bring is taken once, by the provider itself.
  app.get('/console/oidc/callback', door, async (request, reply) => {
    const kept = read(readCookie(request, context.publicUrl(), COOKIE));
    setCookie(reply, context.publicUrl(), { name: COOKIE, value: '', seconds: 0 });
    if (kept === undefined) return refuse(request, reply, ({ late }) => late, 400);
    const came = await provider.finish(new URL(request.url, 'http://localhost').search, kept);
    if (came.kind !== 'known') {
      const isOurs = came.kind === 'busy' || came.kind === 'keyless';
      const reason = came.kind === 'untrusted' ? 'signature' : 'wrong';
      if (!isOurs) noteRefusedSignIn(context, request, { method: 'oidc', reason });
      if ('why' in came) request.log.warn({ err: came.why, said: came.said, issuer: settings.issuer }, SAID[came.kind]);
      return refuse(request, reply, (problems) => problems[came.kind], isOurs ? 503 : 403);
    }
    if (kept.isProof === true && !came.isFresh) return refuse(request, reply, ({ stale }) => stale, 403);
    const person = await findPerson(pool, came.email);
    if (person === undefined) {
      noteRefusedSignIn(context, request, { method: 'oidc', reason: 'unknown', typed: came.email });
      return refuse(request, reply, ({ unknown }) => fill(unknown, { email: came.email }), 403);
    }
    await followGroups(pool, person, came.groups, settings.roles);
    // The provider has taken what was shown.
    const take = async (): Promise<boolean> => true;
    await letIn(context, request, reply, { personId: person.id, method: 'oidc', isProved: came.isFresh, take });
    return reply.redirect(ownPath(rootOf(context), kept.next), 303);
  });
}
