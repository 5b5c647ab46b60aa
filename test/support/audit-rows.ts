// Rows of the audit as they stand in the tables, made by hand, and what the database refuses of them.
import type { Row } from './rows.ts';

type Refused = readonly [changes: Row, constraint: string];
type Tables = readonly [
  name: string,
  table: 'audit_heads' | 'audit_records' | 'audit_waits',
  row: (changes: Row) => Row,
  good: Row,
  refused: readonly Refused[],
][];

const HASH = Buffer.alloc(32, 7);
const NO_HASH = Buffer.alloc(31);
const LONG = 'x'.repeat(321);

const aHeadRow = (changes: Row): Row => ({ part: 7, merchant_id: 1, number: 1, hash: HASH, ...changes });

const aRecordRow = (changes: Row): Row => ({
  part: 7,
  merchant_id: 1,
  number: 1,
  at: '2026-11-15T08:00:00.000Z',
  actor_kind: 'person',
  actor_id: 'person_0000000000000001',
  actor_name: 'ada@example.test',
  action: 'key.create',
  subject: 'key_0',
  previous_hash: HASH,
  hash: HASH,
  ...changes,
});

/** Each table with a row of it, and the changes of that row which it refuses. */
export const AUDIT_TABLES: Tables = [
  [
    'the head of a chain',
    'audit_heads',
    aHeadRow,
    {},
    [
      [{ part: 4_096 }, 'audit_heads_part_check'],
      [{ number: -1 }, 'audit_heads_number_check'],
      [{ hash: NO_HASH }, 'audit_heads_hash_check'],
      [{}, 'audit_heads_pkey'],
    ],
  ],
  [
    'an audit record',
    'audit_records',
    aRecordRow,
    {},
    [
      [{ part: 4_096 }, 'audit_records_part_check'],
      [{ number: 0 }, 'audit_records_number_check'],
      [{ actor_kind: 'ghost' }, 'audit_records_actor_kind_check'],
      [{ actor_id: LONG }, 'audit_records_actor_id_check'],
      [{ actor_name: '' }, 'audit_records_actor_name_check'],
      [{ address: 'a'.repeat(65) }, 'audit_records_address_check'],
      [{ action: '' }, 'audit_records_action_check'],
      [{ subject: LONG }, 'audit_records_subject_check'],
      [{ previous_hash: NO_HASH }, 'audit_records_previous_hash_check'],
      [{ hash: NO_HASH }, 'audit_records_hash_check'],
      [{}, 'audit_records_pkey'],
    ],
  ],
  [
    'an act that waits for its record',
    'audit_waits',
    (changes) => ({
      part: 7,
      subject_id: '01a1e3f1-3f6f-7395-baf8-b9db31f9458a',
      version: 1,
      merchant_id: 1,
      actor_kind: 'person',
      actor_id: 'person_0000000000000001',
      actor_name: 'ada@example.test',
      action: 'payment.charge',
      ...changes,
    }),
    {},
    [
      [{ part: 4_096 }, 'audit_waits_part_check'],
      [{ version: 0 }, 'audit_waits_version_check'],
      [{ actor_kind: 'cli' }, 'audit_waits_actor_kind_check'],
      [{ action: '' }, 'audit_waits_action_check'],
      [{}, 'audit_waits_pkey'],
    ],
  ],
];
