// Argon2id password hashing. A hash deliberately takes 19 MiB and 0.1 s, so they are computed one at a time; a few
// requests wait, at most two per account and five per network, and the rest get 429. So a flood of sign-ins cannot starve
// payments or others.
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { FairQueue, NoTurn } from '../../ops/fair-queue.ts';
import { Room } from '../../ops/room.ts';

const derive = promisify(argon2);

// What OWASP names as its first choice where memory is shared with other work.
const NOW = { memory: 19_456, passes: 2, parallelism: 1 } as const;
const SALT_BYTES = 16;
const TAG_BYTES = 32;

// Some three seconds of waiting.
const MOST_WAITING = 30;
const MOST_OF_ACCOUNT = 2;
const MOST_OF_NETWORK = 5;
// It speaks for everybody behind it.
const MOST_OF_PROXY = 15;

/** On whose behalf somebody waits. */
export type Waiter = {
  readonly account: string;
  /** Of a stranger. */
  readonly network?: string;
  readonly isProxy?: boolean;
};

const hashing = new FairQueue<undefined>({
  ofAll: 1,
  waiting: { ofTenant: { count: MOST_WAITING } },
});
const waiting = new Room();

/** Undefined where too many wait already. */
export async function withHashSlot<Result>(
  { account, network, isProxy = false }: Waiter,
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  const begin = waiting.take([
    [account, MOST_OF_ACCOUNT],
    ...(network === undefined ? [] : [[`of ${network}`, isProxy ? MOST_OF_PROXY : MOST_OF_NETWORK] as const]),
  ]);
  if (begin === undefined) return undefined;
  try {
    return await hashing.run({ tenant: undefined }, () => {
      begin();
      return work();
    });
  } catch (error) {
    if (error instanceof NoTurn) return undefined;
    throw error;
  } finally {
    begin();
  }
}

/** One person types it on a Mac and on a phone: the same signs are the same bytes. */
const bytesOf = (password: string): Buffer => Buffer.from(password.normalize('NFKC'));

const toText = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '');

/** In the spelling of the PHC, with what it was made with. Within a slot. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(SALT_BYTES);
  const tag = await derive('argon2id', { ...NOW, message: bytesOf(password), nonce, tagLength: TAG_BYTES });
  const { memory, passes, parallelism } = NOW;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${toText(nonce)}$${toText(tag)}`;
}

const PHC = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,2})\$([\w+/]+)\$([\w+/]+)$/;

// A dummy hash, so that unknown accounts take as long as known ones.
const NOBODYS = `$argon2id$v=19$m=${NOW.memory},t=${NOW.passes},p=${NOW.parallelism}$${toText(Buffer.alloc(SALT_BYTES))}$${toText(Buffer.alloc(TAG_BYTES))}`;

/** Verifies a password, against the dummy hash for unknown accounts. Must run within a slot. */
export async function isPassword(password: string, hash: string = NOBODYS): Promise<boolean> {
  const [, memory, passes, parallelism, salt = '', tag = ''] = PHC.exec(hash) ?? [];
  if (memory === undefined) throw new Error('the hash of a password is not one');
  const expected = Buffer.from(tag, 'base64');
  const made = await derive('argon2id', {
    message: bytesOf(password),
    nonce: Buffer.from(salt, 'base64'),
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    tagLength: expected.length,
  });
  return timingSafeEqual(made, expected);
}
