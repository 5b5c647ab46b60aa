// Passkeys: registration, sign-in and confirmation. They are discoverable credentials with user verification, so no e-mail
// address is typed. The library is loaded on first use, since it is large.
import { isIP } from 'node:net';
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { findPasskey, listPasskeys, usePasskey } from '../../store/people/passkeys.ts';
import type { Passkey, PasskeyToAdd } from '../../store/people/passkeys.ts';
import type { Person } from '../../store/people/people.ts';
import type { Pool } from '../../store/connections/pool.ts';
import type { ConsoleContext } from '../context.ts';
import { makeChallenge, readChallenge } from './challenge.ts';

const load = () => import('@simplewebauthn/server');

export type Site = { readonly origin: string; readonly host: string };

/** For whom passkeys are made: the public address. A bare IP address can have none. */
export function siteOf({ publicUrl }: Pick<ConsoleContext, 'publicUrl'>): Site | undefined {
  const { origin, hostname } = new URL(publicUrl());
  return isIP(hostname.replaceAll(/[[\]]/g, '')) === 0 ? { origin, host: hostname } : undefined;
}

// ES256, RS256 and EdDSA: what all authenticators have.
const ALGORITHMS = [-7, -257, -8];

const described = ({ id, transports }: Passkey) => ({ id, transports: [...transports] });

/** What the browser needs to make one for a person. */
export async function optionsToAdd(
  pool: Pool,
  site: Site,
  { id, email }: Person,
  purpose: string,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await load();
  return generateRegistrationOptions({
    rpName: 'Kassa',
    rpID: site.host,
    userName: email,
    userID: Uint8Array.from(Buffer.from(id)),
    challenge: await makeChallenge(pool, purpose),
    attestationType: 'none',
    excludeCredentials: (await listPasskeys(pool, id)).map(described),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: ALGORITHMS,
  });
}

/** What the browser needs to ask for one: any of this site, or of a person who is known already. */
export async function optionsToAsk(
  pool: Pool,
  site: Site,
  purpose: string,
  person?: Person,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await load();
  return generateAuthenticationOptions({
    rpID: site.host,
    challenge: await makeChallenge(pool, purpose),
    userVerification: 'required',
    ...(person && { allowCredentials: (await listPasskeys(pool, person.id)).map(described) }),
  });
}

/** The challenge that an answer is to, when it is one of ours. What it is worth is checked by the library. */
async function challengeIn(
  pool: Pool,
  purpose: string,
  { response }: { readonly response: { readonly clientDataJSON: string } },
): Promise<{ readonly text: string; readonly madeAt: bigint } | undefined> {
  const { challenge: text } = JSON.parse(Buffer.from(response.clientDataJSON, 'base64url').toString()) as {
    challenge: unknown;
  };
  if (typeof text !== 'string') return undefined;
  const madeAt = await readChallenge(pool, purpose, text);
  return madeAt === undefined ? undefined : { text, madeAt };
}

/** Browser data is untrusted: errors of the library are refusals, not defects. */
const orUndefined = async <Result>(work: Promise<Result>): Promise<Result | undefined> => work.catch(() => undefined);

export type NewPasskey = {
  readonly personId: string;
  readonly name: string;
  readonly purpose: string;
  readonly response: RegistrationResponseJSON;
};

/** What is to be kept of it, where it is one, and of this site. */
export async function verifyPasskey(
  pool: Pool,
  site: Site,
  { personId, name, purpose, response }: NewPasskey,
): Promise<PasskeyToAdd | undefined> {
  const challenge = await orUndefined(challengeIn(pool, purpose, response));
  if (challenge === undefined) return undefined;
  const { verifyRegistrationResponse } = await load();
  const verified = await orUndefined(
    verifyRegistrationResponse({
      response,
      expectedChallenge: challenge.text,
      expectedOrigin: site.origin,
      expectedRPID: site.host,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    }),
  );
  if (!verified?.verified) return undefined;
  const { id, publicKey, counter } = verified.registrationInfo.credential;
  const transports = (response.response.transports ?? []).filter((each) => /^[\w-]{1,20}$/.test(each)).slice(0, 10);
  return { id, personId, name, publicKey: Buffer.from(publicKey), counter, transports };
}

export type Answered = {
  readonly personId: string;
  /** Takes the answer, once: false where it was taken before, or the passkey is gone. */
  readonly take: (within: Pool) => Promise<boolean>;
};

/** Whose passkey has answered; undefined where none has. */
export async function readAnswer(
  pool: Pool,
  site: Site,
  purpose: string,
  response: AuthenticationResponseJSON,
): Promise<Answered | undefined> {
  const challenge = await orUndefined(challengeIn(pool, purpose, response));
  const passkey = challenge && (await findPasskey(pool, response.id));
  if (challenge === undefined || passkey === undefined) return undefined;
  const { verifyAuthenticationResponse } = await load();
  const { id, publicKey, counter, transports } = passkey;
  const verified = await orUndefined(
    verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge.text,
      expectedOrigin: site.origin,
      expectedRPID: site.host,
      requireUserVerification: true,
      credential: { id, publicKey: Uint8Array.from(publicKey), counter, transports: [...transports] },
    }),
  );
  if (!verified?.verified) return undefined;
  const { newCounter } = verified.authenticationInfo;
  const { madeAt: challengedAt } = challenge;
  return {
    personId: passkey.personId,
    take: (within) => usePasskey(within, { id, counter: newCounter, challengedAt }),
  };
}
