// Signed heads of the audit: which record was the last of each chain at a time. Whoever can write to the database can make
// a chain anew or cut its end, and the hashes fit again; a head that was signed with a key outside the database, and kept
// outside it, tells. Signed by Ed25519: who only checks needs the public half alone.
import { createHash, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { FIRST_HASH } from './audit.ts';
import type { Pool } from '../connections/pool.ts';

/** What stands before the 32 bytes of a private and of a public key (RFC 8410). */
const PRIVATE_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
const PUBLIC_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

type AuditKey = { readonly id: string; readonly publicKey: KeyObject; readonly privateKey?: KeyObject };

/** What is shown of the public half: as it is set where heads are only checked. */
export const publicTextOf = ({ publicKey }: AuditKey): string =>
  `public-${publicKey.export({ format: 'der', type: 'spki' }).subarray(PUBLIC_PREFIX.length).toString('hex')}`;

/** Of a key as it is set: 64 hexadecimal digits, or public- and as many. */
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

/** Which signs; undefined where there is none, or public halves alone. */
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
// So that a head fits into one write of a log that several processes share.
const MOST_CHAINS = 25;
/** Finds heads wherever they stand: in a log, in a file of their own, in a mail. */
const HEAD = /\bkassa-head-1\.([\w-]+)\.([\w-]{86})(?![\w-])/g;

/** One text for so many chains; one without chains, where there are none, tells that the key was there at that time. */
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

/** What is not an object that names a key is none of ours; only the signature proves the rest. */
function readPayload(body: string): Payload | undefined {
  try {
    const read = JSON.parse(Buffer.from(body, 'base64url').toString()) as Partial<Payload> | null;
    return typeof read?.key === 'string' ? (read as Payload) : undefined;
  } catch {
    return undefined;
  }
}

/** What signed heads say, chain by chain. */
export class SignedHeads {
  readonly #keys: ReadonlyMap<string, AuditKey>;
  readonly #chains = new Map<number, Map<number, SignedRecord>>();
  readonly #seen = new Set<string>();
  readonly #problems = new Set<string>();
  #newest = '';

  constructor(keys: readonly string[]) {
    this.#keys = new Map(openAuditKeys(keys).map((key) => [key.id, key]));
  }

  /** Reads those in a line, each once. */
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

  /** How many there were, whether they fit or not. */
  get count(): number {
    return this.#seen.size;
  }

  /** When the latest that fits was signed; undefined where none does. */
  get newest(): string | undefined {
    return this.#newest === '' ? undefined : this.#newest;
  }

  /** What is wrong with heads themselves. */
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

/** What a process has signed of each chain, so that it signs what moved, and sees what went back. */
export class HeadWatch {
  readonly #signed = new Map<number, ChainHead>();

  /** Those that moved since, and those in which a record that was signed is no more, by what can be seen at their ends. */
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
