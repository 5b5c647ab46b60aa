// The documentation of the audit.
import { problem } from '../../openapi/operation.ts';
import type { OperationDoc } from '../../openapi/operation.ts';
import { LIMIT_SCHEMA } from '../../../server/query.ts';
import { AuditList } from './schema.ts';

const RECORD = {
  number: 17,
  at: '2026-03-18T09:12:44.117Z',
  actor: { kind: 'person', id: 'person_4f1c2a9be0d37586', name: 'ada@shop.example', address: '192.0.2.7' },
  action: 'key.create',
  subject: 'key_7d20c41f9a6be358',
  after: { name: 'Collector', endsWith: '91c4', scopes: ['audit'] },
  previousHash: '9c1185a5c5e9fc54612808977ee8f548b2258d31aa1f5b9b0f3b7a6f6b2d0c3e',
  hash: '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae',
};

export const AUDIT_OPERATIONS: Readonly<Record<string, OperationDoc>> = {
  listAuditRecords: {
    tag: 'Audit',
    summary: 'List audit records',
    description:
      'Who did what: sign-ins, and changes of keys, webhooks, people and settings, oldest first. For a collector: read ' +
      'page after page with `after`, keep the number of the last record, and go on behind it later. Only for a key that ' +
      'names the scope `audit`; a key without scopes of its own does not have it.',
    query: { after: { example: '16' }, limit: { example: 100, schema: LIMIT_SCHEMA } },
    success: {
      status: 200,
      description: 'The records.',
      schema: AuditList,
      examples: [
        { summary: 'A page', value: { records: [RECORD], cursor: '17' } },
        { summary: 'Nothing new', value: { records: [] } },
      ],
    },
    refused: [
      problem('No position', { field: 'after', text: 'must be the number of a record' }),
      problem('Too many', { field: 'limit', text: 'must be a whole number from 1 to 100' }),
    ],
  },
};
