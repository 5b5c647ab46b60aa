// A person's authenticators in software: an app that shows codes, and a device with passkeys that answers as a browser
// would hand it on.
import { createHash, createHmac, createSign, generateKeyPairSync, randomBytes } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

function fromBase32(text: string): Buffer {
  const bits = Array.from(text, (sign) => ALPHABET.indexOf(sign).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** The code of RFC 6238 for a time; steps away from it on demand. */
export function codeOf(secret: string, atMs: number, stepsAway = 0): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(atMs / 30_000) + stepsAway));
  const digest = createHmac('sha1', fromBase32(secret)).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 15;
  return String((digest.readUInt32BE(offset) & 0x7f_ff_ff_ff) % 1_000_000).padStart(6, '0');
}

/** Enough CBOR for what an authenticator says: whole numbers, texts, bytes and maps of them. */
function cbor(value: number | string | Buffer | ReadonlyMap<number | string, unknown>): Buffer {
  const head = (major: number, count: number): Buffer => {
    if (count < 24) return Buffer.from([(major << 5) | count]);
    if (count < 256) return Buffer.from([(major << 5) | 24, count]);
    return Buffer.from([(major << 5) | 25, count >> 8, count & 255]);
  };
  if (typeof value === 'number') return value >= 0 ? head(0, value) : head(1, -1 - value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  const pairs = Array.from(value, ([name, each]) => Buffer.concat([cbor(name), cbor(each as string)]));
  return Buffer.concat([head(5, value.size), ...pairs]);
}

const sha256 = (data: Buffer | string): Buffer => createHash('sha256').update(data).digest();

const USER_PRESENT = 1;
const USER_VERIFIED = 4;
const HAS_CREDENTIAL = 64;

type Options = { readonly challenge: string };

/** What a test may have it do otherwise than it should. */
export type Misdeed = { readonly origin?: string; readonly host?: string; readonly unverified?: boolean };

export class SoftAuthenticator {
  readonly #origin: string;
  readonly #host: string;
  readonly #id = randomBytes(16);
  readonly #privateKey: KeyObject;
  readonly #publicKey: KeyObject;
  #userHandle = '';
  counter = 0;

  constructor(publicUrl: string) {
    this.#origin = new URL(publicUrl).origin;
    this.#host = new URL(publicUrl).hostname;
    const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.#privateKey = pair.privateKey;
    this.#publicKey = pair.publicKey;
  }

  #clientData(type: string, challenge: string, { origin = this.#origin }: Misdeed): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  }

  #said(more: number, { host = this.#host, unverified = false }: Misdeed): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.counter);
    const flags = USER_PRESENT | (unverified ? 0 : USER_VERIFIED) | more;
    return Buffer.concat([sha256(host), Buffer.from([flags]), counter]);
  }

  /** Makes the passkey: the answer to what the site asks when one is added. */
  register({ challenge, user }: Options & { readonly user: { readonly id: string } }, misdeed: Misdeed = {}) {
    this.#userHandle = user.id;
    const { x = '', y = '' } = this.#publicKey.export({ format: 'jwk' });
    const point = (text: string): Buffer => Buffer.from(text, 'base64url');
    const key = cbor(
      new Map<number, unknown>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, point(x)],
        [-3, point(y)],
      ]),
    );
    const length = Buffer.from([0, this.#id.length]);
    const said = Buffer.concat([this.#said(HAS_CREDENTIAL, misdeed), Buffer.alloc(16), length, this.#id, key]);
    const attestation = new Map<string, unknown>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', said],
    ]);
    const id = this.#id.toString('base64url');
    return {
      id,
      rawId: id,
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        clientDataJSON: this.#clientData('webauthn.create', challenge, misdeed).toString('base64url'),
        attestationObject: cbor(attestation).toString('base64url'),
        transports: ['internal'],
      },
    };
  }

  /** The answer to a challenge. */
  answer({ challenge }: Options, misdeed: Misdeed = {}) {
    const clientData = this.#clientData('webauthn.get', challenge, misdeed);
    const said = this.#said(0, misdeed);
    const signature = createSign('sha256').update(said).update(sha256(clientData)).sign(this.#privateKey);
    const id = this.#id.toString('base64url');
    return {
      id,
      rawId: id,
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: said.toString('base64url'),
        signature: signature.toString('base64url'),
        userHandle: this.#userHandle,
      },
    };
  }
}
