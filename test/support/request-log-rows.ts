// Rows of the request log as they stand in the tables, made by hand, and what the database refuses of them.
import { newRowId } from './rows.ts';
import type { Row } from './rows.ts';

type Refused = readonly [changes: Row, constraint: string];
type Tables = readonly [
  name: string,
  table: 'request_log' | 'request_log_omissions',
  row: (changes: Row) => Row,
  good: Row,
  refused: readonly Refused[],
][];

const PART = 0xabc;
const ID = newRowId(PART);
const LARGE = 'x'.repeat(8_193);

const aRequestRow = (changes: Row): Row => ({
  part: PART,
  merchant_id: 1,
  id: ID,
  request_id: 'request-1',
  method: 'GET',
  route: '/v1/payments',
  path: '/v1/payments',
  status: 200,
  duration_us: 1_500,
  key_id: 'key_0',
  address: '127.0.0.1',
  replayed: false,
  request_bytes: 0,
  request_cut: false,
  answer_bytes: 0,
  answer_cut: false,
  ...changes,
});

const anOmissionRow = (changes: Row): Row => ({
  part: PART,
  merchant_id: 1,
  minute: '2026-11-15T08:00:00Z',
  count: 1,
  ...changes,
});

/** Each table with a row of it, and the changes of that row which it refuses. */
export const REQUEST_LOG_TABLES: Tables = [
  [
    'a request',
    'request_log',
    aRequestRow,
    { payment_id: ID, request_body: '{}', answer_body: '{}' },
    [
      [{ part: 7 }, 'request_log_id_carries_part'],
      [{ request_id: '' }, 'request_log_request_id_check'],
      [{ request_id: 'x'.repeat(65) }, 'request_log_request_id_check'],
      [{ method: '' }, 'request_log_method_check'],
      [{ route: 'x'.repeat(129) }, 'request_log_route_check'],
      [{ path: 'x'.repeat(1_025) }, 'request_log_path_check'],
      [{ status: 99 }, 'request_log_status_check'],
      [{ status: 600 }, 'request_log_status_check'],
      [{ duration_us: -1 }, 'request_log_duration_us_check'],
      [{ key_id: '' }, 'request_log_key_id_check'],
      [{ address: 'x'.repeat(65) }, 'request_log_address_check'],
      [{ idempotency_key: 'x'.repeat(65) }, 'request_log_idempotency_key_check'],
      [{ user_agent: 'x'.repeat(257) }, 'request_log_user_agent_check'],
      [{ content_type: 'x'.repeat(129) }, 'request_log_content_type_check'],
      [{ request_body: LARGE }, 'request_log_request_body_check'],
      [{ request_bytes: -1 }, 'request_log_request_bytes_check'],
      [{ answer_body: LARGE }, 'request_log_answer_body_check'],
      [{ answer_bytes: -1 }, 'request_log_answer_bytes_check'],
      [{}, 'request_log_pkey'],
    ],
  ],
  [
    'what was left out of the request log',
    'request_log_omissions',
    anOmissionRow,
    {},
    [
      [{ part: 4_096 }, 'request_log_omissions_part_check'],
      [{ count: 0 }, 'request_log_omissions_count_check'],
      [{}, 'request_log_omissions_pkey'],
    ],
  ],
];
