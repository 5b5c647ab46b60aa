// A provider of OpenID Connect on loopback, as a company has one: it knows whoever the test says is at the browser, and
// asks nobody anything.
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
};

export type CompanySignIn = {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Who is at the browser from now on. */
  be(claims: Claimed, manner?: Manner): void;
  close(): Promise<void>;
};

const CLIENT = { clientId: 'kassa', clientSecret: 'the secret of this test, long enough for anybody' };

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
    return issue.apply(this, given);
  };
  const answer = provider.callback();
  server.on('request', (request, response) => {
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
