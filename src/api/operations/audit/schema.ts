// The audit of a merchant, as it is read by a key.
import * as Type from '../../../schema/type.ts';
import { Timestamp } from '../../../events/body-parts.ts';
import { LIMIT_TEXT } from '../../../server/query.ts';

export const AuditListQuery = Type.Object({
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

export const AuditList = Type.Object(
  {
    records: Type.Array(AuditRecord, { description: 'Oldest first.' }),
    cursor: Type.Optional(
      Type.String({ pattern: String.raw`^\d+$`, description: 'Gives the next page; missing on the last one.' }),
    ),
  },
  { title: 'AuditRecords' },
);
