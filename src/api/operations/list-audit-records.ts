// GET /v1/audit: the audit of a merchant, oldest first, for a collector that continues where it stopped.
import { Timestamp } from '../../events/body-parts.ts';
import { presentAuditRecord } from '../../merchants/audit-export.ts';
import * as Type from '../../schema/type.ts';
import { listInTurn } from '../../server/costly-work.ts';
import { badField } from '../../server/problem.ts';
import { LIMIT_SCHEMA, LIMIT_TEXT, readLimit, requireKnownFilters } from '../../server/query.ts';
import { readChain } from '../../store/audit/audit.ts';
import type { ChainedRecord } from '../../store/audit/audit.ts';
import { fillPage, pageText } from '../list-page.ts';
import { answers, operation, problem } from '../operation.ts';

const AuditListQuery = Type.Object({
  after: Type.Optional(
    Type.String({
      description:
        'Only records after this number: the cursor of the page before, or the number of the last record that you have. Empty: from the beginning.',
    }),
  ),
  limit: Type.Optional(Type.String({ description: LIMIT_TEXT })),
});

const Hash = (description: string) => Type.String({ pattern: '^[0-9a-f]{64}$', description });

const Facts = (description: string) => Type.Optional(Type.Object({}, { additionalProperties: true, description }));

const AuditRecord = Type.Object(
  {
    number: Type.Integer({ minimum: 1, description: 'From 1 and without gaps; its position for good.' }),
    at: Timestamp('When it was done.'),
    actor: Type.Object(
      {
        kind: Type.String({ enum: ['person', 'cli', 'key', 'system'] }),
        id: Type.String({ description: 'Stays when the person or key is gone.' }),
        name: Type.String({ description: 'For people: an e-mail address, a user and machine, the name of a key.' }),
        address: Type.Optional(Type.String({ description: 'The network address it came from.' })),
      },
      { description: 'By whom.' },
    ),
    action: Type.String({ description: 'What was done. New versions know new ones.' }),
    subject: Type.String({ description: 'What it was done to: an id.' }),
    before: Facts('What was changed, as it was before. Without secrets.'),
    after: Facts('And as it is since.'),
    previousHash: Hash('The hash of the record before.'),
    hash: Hash('The SHA-256 of the record.'),
  },
  { title: 'AuditRecord' },
);

const AuditList = Type.Object(
  {
    records: Type.Array(AuditRecord, { description: 'Oldest first.' }),
    cursor: Type.Optional(
      Type.String({ pattern: String.raw`^\d+$`, description: 'Gives the next page; missing on the last one.' }),
    ),
  },
  { title: 'AuditRecords' },
);

function readPosition(text = ''): number {
  if (text === '') return 0;
  if (!/^\d{1,15}$/.test(text)) throw badField('after', 'must be the number of a record');
  return Number(text);
}

async function* textsOf(records: readonly ChainedRecord[]): AsyncGenerator<string> {
  for (const record of records) yield JSON.stringify(presentAuditRecord(record));
}

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

export const listAuditRecords = operation('listAuditRecords', 'GET /v1/audit', 'audit', {
  query: AuditListQuery,
  tag: 'Audit',
  summary: 'List audit records',
  description:
    'Who did what: sign-ins, and changes of keys, webhooks, people and settings, oldest first. For a collector: read ' +
    'page after page with `after`, keep the number of the last record, and go on behind it later. Only for a key that ' +
    'names the scope `audit`; a key without scopes of its own does not have it.',
  parameters: { after: { example: '16' }, limit: { example: 100, schema: LIMIT_SCHEMA } },
  success: answers(200, 'The records.', AuditList, {
    'A page': { records: [RECORD], cursor: '17' },
    'Nothing new': { records: [] },
  }),
  refused: [
    problem('No position', 'after', 'must be the number of a record'),
    problem('Too many', 'limit', 'must be a whole number from 1 to 100'),
  ],
  handler: async (request, { store, costly }, reply) => {
    const { query } = request;
    requireKnownFilters(query, AuditListQuery);
    const limit = readLimit(query.limit);
    const after = readPosition(query.after);
    const { id: merchantId, parts } = request.merchant;
    const chain = { merchantId, part: parts[0] };
    const findPage = async (): Promise<string> => {
      // One more than requested shows whether there is a next page.
      const records = await readChain(store.pool, chain, { after, limit: limit + 1 });
      const texts = await fillPage(textsOf(records.slice(0, limit)));
      const last = texts.length < records.length ? records[texts.length - 1] : undefined;
      return pageText('records', texts, last && String(last.number));
    };
    return { status: 200, body: await listInTurn(costly, request, reply, () => store.kept(findPage)) };
  },
});
