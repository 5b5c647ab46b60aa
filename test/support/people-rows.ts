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

type Tables = readonly [
  name: string,
  table: 'people' | 'memberships' | 'sign_in_links' | 'sessions',
  row: (changes: Row) => Row,
  good: Row,
  refused: readonly Refused[],
][];

/** Each table with a row of it, and the changes of that row which it refuses; of a merchant and a person that are there. */
export const peopleTables = (base: () => { readonly merchant: Row; readonly person: Row }): Tables => [
  [
    'a person',
    'people',
    aPersonRow,
    {},
    [
      [{ id: 'ada' }, 'people_id_check'],
      [{ email: 'a@' }, 'people_email_check'],
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
];
