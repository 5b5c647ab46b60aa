// Single sign-on with OpenID Connect: the code flow with PKCE, state and nonce. People are identified by the e-mail
// address that the provider has verified. The signature of the token is verified although it is fetched directly, since a
// TLS-intercepting proxy could forge it. The library is loaded on first use.
import type { Configuration } from 'openid-client';
import type { OidcConfig } from '../../config/sign-in.ts';

// Longer, and a browser waits for nothing.
const TIMEOUT_S = 10;
// As for a recent confirmation: after that, the provider asks again.
const FRESH_S = 600;
// Clocks of two machines.
const CLOCKS_APART_S = 60;
// Each waits for the provider, which may be slow.
const MOST_AT_ONCE = 20;

const load = () => import('openid-client');

/** What the browser keeps while it is at the provider. */
export type Errand = { readonly state: string; readonly nonce: string; readonly verifier: string };

/** Why, and what the provider itself said of it. */
type Why = { readonly why: unknown; readonly said: string | undefined };

export type Came =
  | {
      readonly kind: 'known';
      readonly email: string;
      readonly groups: readonly string[];
      /** Whether the provider says that it asked who it is in the last minutes: that is a proof. */
      readonly isFresh: boolean;
    }
  | { readonly kind: 'unverified' }
  | { readonly kind: 'stale' }
  | { readonly kind: 'busy' }
  /** The token is signed by no key of the provider's, or not at all. */
  | ({ readonly kind: 'untrusted' } & Why)
  /** Its keys cannot be fetched. */
  | ({ readonly kind: 'keyless' } & Why)
  | ({ readonly kind: 'failed' } & Why);

type Claims = Readonly<Record<string, unknown>>;

const groupsIn = ({ groups }: Claims): string[] =>
  (Array.isArray(groups) ? groups : [groups]).filter((group): group is string => typeof group === 'string');

const isWithin = (value: number, least: number, most: number): boolean => value >= least && value <= most;

/** Of a provider that does not tell when somebody signed in, nobody knows whether it asked. */
const isFreshIn = ({ auth_time: at }: Claims): boolean | undefined =>
  typeof at === 'number' ? isWithin(Date.now() / 1_000 - at, -CLOCKS_APART_S, FRESH_S + CLOCKS_APART_S) : undefined;

/** Thrown in place of whatever went wrong while the keys were fetched. */
class KeysAway extends Error {}

/** An error and what brought it about. */
function* causesOf(error: unknown): Generator<Error> {
  for (let each = error; each instanceof Error; each = each.cause) yield each;
}

const LONGEST_SAID = 300;

/** The error that the provider itself tells, by its code and in its words. */
function saidByProvider(why: unknown): string | undefined {
  for (const { error, error_description: words } of causesOf(why) as Iterable<Claims>) {
    if (typeof error !== 'string') continue;
    const said = typeof words === 'string' ? `${error}: ${words}` : error;
    return said.replaceAll(/\p{Cc}/gu, ' ').slice(0, LONGEST_SAID);
  }
  return undefined;
}

// What the library says of a token's header and signature; by its codes alone they look like other faults.
const OF_SIGNATURES = /JWS|JWT "alg"|JWT signature|JWT verification key/;

function whyNot(why: unknown): Came {
  const causes = [...causesOf(why)];
  const reason = { why, said: saidByProvider(why) };
  if (causes.some((each) => each instanceof KeysAway)) return { kind: 'keyless', ...reason };
  return { kind: causes.some(({ message }) => OF_SIGNATURES.test(message)) ? 'untrusted' : 'failed', ...reason };
}

const ADDRESS = /^[^\p{Cc}]+@[^\p{Cc}]+$/u;

function judge(claims: Claims): Came {
  const { email, email_verified: isVerified } = claims;
  const isFresh = isFreshIn(claims);
  if (isFresh === false) return { kind: 'stale' };
  if (typeof email !== 'string' || !ADDRESS.test(email) || isVerified !== true) return { kind: 'unverified' };
  return { kind: 'known', email, groups: groupsIn(claims), isFresh: isFresh === true };
}

async function fetchKeys(url: string, options: object): Promise<Response> {
  const answer = await fetch(url, options).catch((cause: unknown) => {
    throw new KeysAway(`the keys at ${url} cannot be fetched`, { cause });
  });
  if (answer.status === 200) return answer;
  await answer.body?.cancel();
  throw new KeysAway(`the keys at ${url} cannot be fetched: status ${answer.status}`);
}

export class OidcProvider {
  readonly #settings: OidcConfig;
  readonly #redirectUri: () => string;
  #found: Promise<Configuration> | undefined;
  #underWay = 0;

  constructor(settings: OidcConfig, redirectUri: () => string) {
    this.#settings = settings;
    this.#redirectUri = redirectUri;
  }

  /** What the provider says of itself, asked once; after a failure again. */
  #find(): Promise<Configuration> {
    this.#found ??= this.#discover().catch((error: unknown) => {
      this.#found = undefined;
      throw error;
    });
    return this.#found;
  }

  async #discover(): Promise<Configuration> {
    const oidc = await load();
    const { issuer, clientId, clientSecret } = this.#settings;
    // oxlint-disable-next-line no-deprecated -- for a provider on this very machine alone, as the settings have checked
    const plain = issuer.startsWith('http:') ? [oidc.allowInsecureRequests] : [];
    const found = await oidc.discovery(new URL(issuer), clientId, undefined, oidc.ClientSecretBasic(clientSecret), {
      timeout: TIMEOUT_S,
      execute: [oidc.enableNonRepudiationChecks, ...plain],
    });
    const { jwks_uri: keys } = found.serverMetadata();
    if (keys === undefined) throw new Error('the provider publishes no keys (jwks_uri)');
    found[oidc.customFetch] = (url, options) =>
      url === keys ? fetchKeys(url, options) : fetch(url, options as RequestInit);
    return found;
  }

  /**
   * Where the browser is sent, and what it keeps meanwhile. For a proof the provider asks anew, whoever is signed in
   * there. Throws while the provider cannot be reached.
   */
  async begin(isProof: boolean): Promise<{ readonly url: string; readonly errand: Errand }> {
    const oidc = await load();
    const errand = { state: oidc.randomState(), nonce: oidc.randomNonce(), verifier: oidc.randomPKCECodeVerifier() };
    const url = oidc.buildAuthorizationUrl(await this.#find(), {
      redirect_uri: this.#redirectUri(),
      scope: 'openid email',
      response_type: 'code',
      state: errand.state,
      nonce: errand.nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(errand.verifier),
      code_challenge_method: 'S256',
      max_age: String(FRESH_S),
      ...(isProof && { prompt: 'login' }),
    });
    return { url: url.href, errand };
  }

  /** Who has come back with this query. */
  async finish(search: string, errand: Errand): Promise<Came> {
    if (new URLSearchParams(search).get('state') !== errand.state)
      return whyNot(new Error('it is not the answer to what this browser asked'));
    if (this.#underWay >= MOST_AT_ONCE) return { kind: 'busy' };
    this.#underWay += 1;
    try {
      return judge(await this.#claims(search, errand));
    } catch (why) {
      return whyNot(why);
    } finally {
      this.#underWay -= 1;
    }
  }

  async #claims(search: string, { state, nonce, verifier }: Errand): Promise<Claims> {
    const { authorizationCodeGrant, fetchUserInfo } = await load();
    const provider = await this.#find();
    const tokens = await authorizationCodeGrant(provider, new URL(`${this.#redirectUri()}${search}`), {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (claims === undefined) throw new Error('the provider gave no id token');
    // Many providers keep the token short, and tell of groups only when they are asked.
    const isWhole = this.#settings.roles.length === 0 || claims['groups'] !== undefined;
    if (typeof claims['email'] === 'string' && isWhole) return claims;
    return { ...claims, ...(await fetchUserInfo(provider, tokens.access_token, claims.sub)) };
  }
}
