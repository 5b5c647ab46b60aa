// Signed heads of the audit: the last record of each chain at a time. Anyone who can write to the database could
// rebuild a chain or truncate it, and the hashes would match again; a head that was signed with a key outside the
// database, and stored outside it, reveals that. Signed with Ed25519, so that checking needs only the public key.
import { createHash, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { FIRST_HASH } from './audit.ts';
import type { Pool } from '../connections/pool.ts';

/** The DER prefix of the 32 bytes of a private and a public key (RFC 8410). */
const PRIVATE_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
const PUBLIC_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

type AuditKey = { readonly id: string; readonly publicKey: KeyObject; readonly privateKey?: KeyObject };

/** The public key, in the form in which it is configured for checking. */
export const publicTextOf = ({ publicKey }: AuditKey): string =>
  `public-${publicKey.export({ format: 'der', type: 'spki' }).subarray(PUBLIC_PREFIX.length).toString('hex')}`;

/** Parses a configured key: 64 hexadecimal digits, or public- and 64 digits. */
function openKey(text: string): AuditKey {
  const bytes = Buffer.from(text.replace('public-', ''), 'hex');
  const privateKey = text.startsWith('public-')
    ? undefined
    : createPrivateKey({ key: Buffer.concat([PRIVATE_PREFIX, bytes]), format: 'der', type: 'pkcs8' });
  const publicKey = privateKey
    ? createPublicKey(privateKey)
    : createPublicKey({ key: Buffer.concat([PUBLIC_PREFIX, bytes]), format: 'der', type: 'spki' });
  const known = publicKey.export({ format: 'der', type: 'spki' });
  const id = createHash('sha256').update(known).digest('hex').slice(0, 16);
  return { id, publicKey, ...(privateKey && { privateKey }) };
}

const openAuditKeys = (texts: readonly string[]): readonly AuditKey[] => texts.map(openKey);

/** The key that signs; undefined if there is none, or only public keys. */
export const signingKeyOf = (texts: readonly string[]): AuditKey | undefined =>
  openAuditKeys(texts).find(({ privateKey }) => privateKey !== undefined);

/** The last record of a chain. */
export type ChainHead = {
  readonly part: number;
  readonly merchantId: number;
  readonly number: number;
  readonly hash: Buffer;
};

export async function readChainHeads(pool: Pool): Promise<ChainHead[]> {
  const rows = await pool.query<{ part: number; merchant_id: number; number: number; hash: Buffer }>(
    'select part, merchant_id, number, hash from audit_heads where number > 0 order by part, merchant_id',
  );
  return rows.map(({ merchant_id: merchantId, ...row }) => ({ merchantId, ...row }));
}

type Payload = {
  readonly key: string;
  readonly at: string;
  readonly chains: readonly (readonly [merchantId: number, number: number, hash: string])[];
};

const NAME = 'kassa-head-1';
// A head fits into one write to a log that several processes share.
const MOST_CHAINS = 25;
/** Finds heads anywhere: in a log, in a file of their own, in a mail. */
const HEAD = /\bkassa-head-1\.([\w-]+)\.([\w-]{86})(?![\w-])/g;

/** One text for several chains; if there are none, one without chains shows that the key existed at that time. */
export function signHeads({ id, privateKey }: AuditKey, at: Date, heads: readonly ChainHead[]): string[] {
  if (privateKey === undefined) throw new Error('a public key signs nothing');
  const pages = Array.from({ length: Math.max(1, Math.ceil(heads.length / MOST_CHAINS)) }, (_, page) =>
    heads.slice(page * MOST_CHAINS, (page + 1) * MOST_CHAINS),
  );
  return pages.map((page) => {
    const payload: Payload = {
      key: id,
      at: at.toISOString(),
      chains: page.map(({ merchantId, number, hash }) => [merchantId, number, hash.toString('base64url')]),
    };
    const text = `${NAME}.${Buffer.from(JSON.stringify(payload)).toString('base64url')}`;
    return `${text}.${sign(null, Buffer.from(text), privateKey).toString('base64url')}`;
  });
}

export type SignedRecord = { readonly hash: Buffer; readonly at: string };

/** An object that names a key; only the signature proves the rest. */
function readPayload(body: string): Payload | undefined {
  try {
    const read = JSON.parse(Buffer.from(body, 'base64url').toString()) as Partial<Payload> | null;
    return typeof read?.key === 'string' ? (read as Payload) : undefined;
  } catch {
    return undefined;
  }
}

/** What signed heads say about each chain. */
export class SignedHeads {
  readonly #keys: ReadonlyMap<string, AuditKey>;
  readonly #chains = new Map<number, Map<number, SignedRecord>>();
  readonly #seen = new Set<string>();
  readonly #problems = new Set<string>();
  #newest = '';

  constructor(keys: readonly string[]) {
    this.#keys = new Map(openAuditKeys(keys).map((key) => [key.id, key]));
  }

  /** Reads the heads in a line, each once. */
  add(line: string): void {
    for (const [head, body = '', signature = ''] of line.matchAll(HEAD)) {
      if (this.#seen.has(signature)) continue;
      this.#seen.add(signature);
      this.#read(head, body, signature);
    }
  }

  #read(head: string, body: string, signature: string): void {
    const shown = `${head.slice(0, 40)}…`;
    const payload = readPayload(body);
    if (payload === undefined) {
      this.#problems.add(`${shown} is damaged: no part of it can be read`);
      return;
    }
    const key = this.#keys.get(payload.key);
    if (key === undefined) {
      this.#problems.add(`${shown} was signed with the key ${payload.key}, which KASSA_AUDIT_KEY does not name`);
      return;
    }
    if (!verify(null, Buffer.from(`${NAME}.${body}`), key.publicKey, Buffer.from(signature, 'base64url'))) {
      this.#problems.add(`${shown} has a signature that does not fit: it was changed, or another key signed it`);
      return;
    }
    if (payload.at > this.#newest) this.#newest = payload.at;
    for (const [merchantId, number, hash] of payload.chains) this.#note(merchantId, number, hash, payload.at);
  }

  #note(merchantId: number, number: number, hash: string, at: string): void {
    const chain = this.#chains.get(merchantId) ?? new Map<number, SignedRecord>();
    this.#chains.set(merchantId, chain);
    const record = { hash: Buffer.from(hash, 'base64url'), at };
    const known = chain.get(number);
    if (known && !known.hash.equals(record.hash))
      this.#problems.add(
        `the heads of ${known.at} and ${at} name two records ${number} of ${merchantId === 0 ? 'no merchant' : `merchant ${merchantId}`}: the chain was rewritten between them`,
      );
    if (known === undefined || at < known.at) chain.set(number, record);
  }

  /** The number of heads, valid or not. */
  get count(): number {
    return this.#seen.size;
  }

  /** When the latest valid head was signed; undefined if there is none. */
  get newest(): string | undefined {
    return this.#newest === '' ? undefined : this.#newest;
  }

  /** What is wrong with the heads themselves. */
  get problems(): readonly string[] {
    return [...this.#problems];
  }

  get merchantIds(): readonly number[] {
    return [...this.#chains.keys()];
  }

  of(merchantId: number): ReadonlyMap<number, SignedRecord> {
    return this.#chains.get(merchantId) ?? new Map<number, SignedRecord>();
  }
}

/** What a process has signed of each chain, so that it signs chains that moved and notices chains that went back. */
export class HeadWatch {
  readonly #signed = new Map<number, ChainHead>();

  /** Chains that moved since, and chains that lost a signed record, as far as their ends show it. */
  compare(heads: readonly ChainHead[]): { readonly moved: ChainHead[]; readonly broken: ChainHead[] } {
    const now = new Map(heads.map((head) => [head.merchantId, head]));
    const broken = [...this.#signed.values()].filter(({ merchantId, number, hash }) => {
      const { number: reached, hash: found } = now.get(merchantId) ?? { number: 0, hash: FIRST_HASH };
      return reached < number || (reached === number && !found.equals(hash));
    });
    const moved = heads.filter(
      ({ merchantId, number, hash }) =>
        this.#signed.get(merchantId)?.number !== number || !this.#signed.get(merchantId)?.hash.equals(hash),
    );
    for (const head of moved) this.#signed.set(head.merchantId, head);
    for (const { merchantId } of broken) if (!now.has(merchantId)) this.#signed.delete(merchantId);
    return { moved, broken };
  }
}
