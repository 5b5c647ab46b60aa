// A provider of OpenID Connect on loopback, as a company has one: it knows whoever the test says is at the browser, and
// asks nobody anything.
import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

export type Claimed = {
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly groups?: readonly string[];
};

/** How the provider is: each of these is how some are. */
export type Manner = {
  /** Groups are told only to who asks for them with the token, not in it. */
  readonly tellsGroupsLater?: boolean;
  /** It does not say when it asked who it is. */
  readonly hidesTime?: boolean;
  /** The token is not signed as it should be. */
  readonly forges?: Forgery;
  /** Its keys are not to be had. */
  readonly hidesKeys?: boolean;
};

export type Forgery = keyof typeof FORGERIES;

export type CompanySignIn = {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Who is at the browser from now on. */
  be(claims: Claimed, manner?: Manner): void;
  close(): Promise<void>;
};

const CLIENT = { clientId: 'kassa', clientSecret: 'the secret of this test, long enough for anybody' };

type Head = { readonly alg: string; readonly kid?: string };

const strange = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
const withStrangeKey = (text: string): Buffer => sign('sha256', Buffer.from(text), strange);
const withSecret = (text: string): Buffer => createHmac('sha256', CLIENT.clientSecret).update(text).digest();

/** What is put in place of a token's head, and of its signature. */
const FORGERIES = {
  'another key under the name of its own': { head: (head: Head) => head, seal: withStrangeKey },
  'another key under a name of its own': { head: (head: Head) => ({ ...head, kid: 'foreign' }), seal: withStrangeKey },
  'another key without a name': { head: () => ({ alg: 'RS256' }), seal: withStrangeKey },
  'no signature and alg none': { head: () => ({ alg: 'none' }), seal: () => '' },
  'no signature': { head: (head: Head) => head, seal: () => '' },
  'the client secret': { head: () => ({ alg: 'HS256' }), seal: withSecret },
};

export const FORGED = Object.keys(FORGERIES) as readonly Forgery[];

/** The same token, signed so. */
function forge(token: string, forgery: Forgery): string {
  const [head = '', body = ''] = token.split('.');
  const made = FORGERIES[forgery].head(JSON.parse(Buffer.from(head, 'base64url').toString()) as Head);
  const text = `${Buffer.from(JSON.stringify(made)).toString('base64url')}.${body}`;
  return `${text}.${Buffer.from(FORGERIES[forgery].seal(text)).toString('base64url')}`;
}

/** Opened before Kassa, whose address is told later: where people may come back to. */
export async function openCompanySignIn(redirectUri: () => string): Promise<CompanySignIn> {
  let current: Claimed = {};
  let manner: Manner = {};
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.clientId,
        client_secret: CLIENT.clientSecret,
        // Kassa has its port only after this one is open.
        redirect_uris: ['http://localhost/console/oidc/callback'],
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified', 'groups'] },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    // As some say of themselves: so the library does not refuse such a token by its name alone.
    enabledJWA: { idTokenSigningAlgValues: ['RS256', 'HS256'] },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    conformIdTokenClaims: false,
    findAccount: (_context, id) => ({
      accountId: id,
      claims: (use) => {
        const { groups, ...others } = current;
        const isTold = groups !== undefined && !(use === 'id_token' && manner.tellsGroupsLater);
        return { sub: id, ...others, ...(isTold && { groups }) };
      },
    }),
    loadExistingGrant: async (context) => {
      const grant = new context.oidc.provider.Grant({
        clientId: CLIENT.clientId,
        accountId: context.oidc.session?.accountId ?? '',
      });
      grant.addOIDCScope('openid email');
      await grant.save();
      return grant;
    },
    cookies: { keys: ['of this test'] },
    ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
  });
  // Any port of this machine, as the specification has it for programs on one's own computer.
  const proto = provider.Client.prototype as { redirectUriAllowed: (uri: string) => boolean };
  proto.redirectUriAllowed = (uri) => uri === redirectUri();
  const token = provider.IdToken.prototype as unknown as {
    available: { auth_time?: number };
    issue: (...given: unknown[]) => Promise<string>;
  };
  const { issue } = token;
  token.issue = function issueSilently(this: typeof token, ...given) {
    if (manner.hidesTime) delete this.available.auth_time;
    const issued = issue.apply(this, given);
    const { forges } = manner;
    return forges === undefined ? issued : issued.then((made) => forge(made, forges));
  };
  const answer = provider.callback();
  server.on('request', (request, response) => {
    if (manner.hidesKeys && request.url === '/jwks') return void response.writeHead(500).end();
    if (!request.url?.startsWith('/interaction/')) return void answer(request, response);
    void provider.interactionFinished(request, response, { login: { accountId: 'somebody' } });
  });
  return {
    issuer,
    ...CLIENT,
    be: (claims, how = {}) => {
      [current, manner] = [claims, how];
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
