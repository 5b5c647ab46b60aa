// Rows of people as they stand in the tables, made by hand, and what the database refuses of them.
import type { Row } from './rows.ts';

type Refused = readonly [changes: Row, constraint: string];

let made = 0;
const digits = (): string => (made += 1).toString(16).padStart(16, '0');
const aHash = (): Buffer => Buffer.alloc(32, (made += 1) % 256);

export const aPersonRow = (changes: Row = {}): Row => ({
  id: `person_${digits()}`,
  email: `person-${made}@example.test`,
  ...changes,
});

const aLinkRow = (personId: unknown, changes: Row): Row => ({
  hash: aHash(),
  person_id: personId,
  expires_at: '2026-11-15T08:00:00.000Z',
  ...changes,
});

const aSessionRow = (personId: unknown, changes: Row): Row => ({
  hash: aHash(),
  id: `session_${digits()}`,
  person_id: personId,
  method: 'link',
  address: '127.0.0.1',
  agent: 'a browser',
  ...changes,
});

export type PeopleTable =
  | 'people'
  | 'memberships'
  | 'sign_in_links'
  | 'link_requests'
  | 'sessions'
  | 'passwords'
  | 'recovery_codes'
  | 'passkeys'
  | 'sign_in_tries'
  | 'console_secret'
  | 'saved_views';

type Tables = readonly [
  name: string,
  table: PeopleTable,
  row: (changes: Row) => Row,
  good: Row,
  refused: readonly Refused[],
][];

/** Each table with a row of it, and the changes of that row which it refuses; of a merchant and a person that are there. */
export const peopleTables = (
  base: () => { readonly merchant: Row; readonly person: Row; readonly colleague: Row },
): Tables => [
  [
    'a person',
    'people',
    aPersonRow,
    {},
    [
      [{ id: 'ada' }, 'people_id_check'],
      [{ email: 'a@' }, 'people_email_check'],
      [{ language: 'Swedish' }, 'people_language_check'],
      [{ unlocks: -1 }, 'people_unlocks_check'],
      [{ recovery_by: 'a'.repeat(641) }, 'people_recovery_by_check'],
      [{ email: 'Ada@example.test' }, 'people_email_check'],
      [{ email: 'taken@example.test' }, 'people_email_key'],
    ],
  ],
  [
    'a membership',
    'memberships',
    (changes) => ({ person_id: base().person['id'], merchant_id: base().merchant['id'], role: 'viewer', ...changes }),
    {},
    [
      [{ role: 'boss' }, 'memberships_role_check'],
      [{ person_id: 'person_0' }, 'memberships_person_id_fkey'],
      [{ merchant_id: 1 }, 'memberships_merchant_id_fkey'],
      [{}, 'memberships_pkey'],
    ],
  ],
  [
    'a saved view',
    'saved_views',
    (changes) => ({
      person_id: base().person['id'],
      merchant_id: base().merchant['id'],
      name: 'To charge',
      query: 'state=reserved',
      ...changes,
    }),
    {},
    [
      [{ person_id: 'person_0' }, 'saved_views_person_id_merchant_id_fkey'],
      [{ name: '' }, 'saved_views_name_check'],
      [{ name: 'a'.repeat(61) }, 'saved_views_name_check'],
      [{ query: 'a'.repeat(4_097) }, 'saved_views_query_check'],
      [{}, 'saved_views_pkey'],
    ],
  ],
  [
    'a link',
    'sign_in_links',
    (changes) => aLinkRow(base().person['id'], changes),
    {},
    [
      [{ hash: Buffer.alloc(31) }, 'sign_in_links_hash_check'],
      [{ person_id: 'person_0' }, 'sign_in_links_person_id_fkey'],
    ],
  ],
  [
    'a link that waits',
    'link_requests',
    (changes) => ({
      id: `request_${digits()}`,
      hash: aHash(),
      // One of a person at a time.
      person_id: ('merchant_id' in changes ? base().colleague : base().person)['id'],
      merchant_id: base().merchant['id'],
      asked_by_id: 'person_1',
      asked_by: 'ada@example.test',
      expires_at: '2026-11-15T08:00:00.000Z',
      ...changes,
    }),
    {},
    [
      [{ id: 'mine' }, 'link_requests_id_check'],
      [{ hash: Buffer.alloc(31) }, 'link_requests_hash_check'],
      [{ person_id: 'person_0' }, 'link_requests_person_id_fkey'],
      [{ merchant_id: 1 }, 'link_requests_merchant_id_fkey'],
      [{ asked_by_id: 'a'.repeat(65) }, 'link_requests_asked_by_id_check'],
      [{ asked_by: 'a'.repeat(321) }, 'link_requests_asked_by_check'],
      [{}, 'link_requests_person_id_key'],
    ],
  ],
  [
    'a session',
    'sessions',
    (changes) => aSessionRow(base().person['id'], changes),
    {},
    [
      [{ hash: Buffer.alloc(33) }, 'sessions_hash_check'],
      [{ id: 'mine' }, 'sessions_id_check'],
      [{ person_id: 'person_0' }, 'sessions_person_id_fkey'],
      [{ method: 'luck' }, 'sessions_method_check'],
      [{ address: 'a'.repeat(65) }, 'sessions_address_check'],
      [{ agent: 'a'.repeat(257) }, 'sessions_agent_check'],
    ],
  ],
  [
    'a password',
    'passwords',
    (changes) => ({
      person_id: base().person['id'],
      hash: '$argon2id$v=19$m=65536,t=3,p=1$c2FsdA$aGFzaA',
      totp_secret: Buffer.alloc(20),
      totp_step: 0,
      ...changes,
    }),
    {},
    [
      [{ person_id: 'person_0' }, 'passwords_person_id_fkey'],
      [{ hash: 'correct horse' }, 'passwords_hash_check'],
      [{ totp_secret: Buffer.alloc(19) }, 'passwords_totp_secret_check'],
      [{ totp_step: -1 }, 'passwords_totp_step_check'],
      [{}, 'passwords_pkey'],
    ],
  ],
  [
    'a recovery code',
    'recovery_codes',
    (changes) => ({ person_id: base().person['id'], hash: aHash(), ...changes }),
    {},
    [
      [{ person_id: 'person_0' }, 'recovery_codes_person_id_fkey'],
      [{ hash: Buffer.alloc(31) }, 'recovery_codes_hash_check'],
    ],
  ],
  [
    'a passkey',
    'passkeys',
    (changes) => ({
      id: digits(),
      person_id: base().person['id'],
      name: 'Laptop',
      public_key: Buffer.alloc(77),
      counter: 0,
      transports: '{internal}',
      ...changes,
    }),
    {},
    [
      [{ id: '' }, 'passkeys_id_check'],
      [{ person_id: 'person_0' }, 'passkeys_person_id_fkey'],
      [{ name: '' }, 'passkeys_name_check'],
      [{ public_key: Buffer.alloc(0) }, 'passkeys_public_key_check'],
      [{ counter: -1 }, 'passkeys_counter_check'],
    ],
  ],
  [
    'a count of tries',
    'sign_in_tries',
    (changes) => ({ key: aHash(), count: 1, ...changes }),
    {},
    [
      [{ key: Buffer.alloc(31) }, 'sign_in_tries_key_check'],
      [{ count: 0 }, 'sign_in_tries_count_check'],
    ],
  ],
];

/** There is one already: the migration makes it. */
export const consoleSecrets: readonly Refused[] = [
  [{ id: 2 }, 'console_secret_id_check'],
  [{ secret: Buffer.alloc(31) }, 'console_secret_secret_check'],
  [{}, 'console_secret_pkey'],
];
