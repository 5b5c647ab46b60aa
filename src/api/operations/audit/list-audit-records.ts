// GET /v1/audit: the audit of a merchant, oldest first, for a collector that goes on where it was.
import type { FastifyInstance } from 'fastify';
import type { Static } from '../../../schema/type.ts';
import { presentAuditRecord } from '../../../merchants/audit-export.ts';
import { readChain } from '../../../store/audit/audit.ts';
import type { ChainedRecord } from '../../../store/audit/audit.ts';
import { sendAnswer } from '../../../server/errors.ts';
import { fillPage, pageText } from '../../list-page.ts';
import { listInTurn } from '../../../server/costly-work.ts';
import type { ReadingContext } from '../../request.ts';
import { badField } from '../../../server/problem.ts';
import { readLimit, requireKnownFilters } from '../../../server/query.ts';
import { merchantOf } from '../../../server/asker.ts';
import { AuditListQuery } from './schema.ts';

function readPosition(text = ''): number {
  if (text === '') return 0;
  if (!/^\d{1,15}$/.test(text)) throw badField('after', 'must be the number of a record');
  return Number(text);
}

async function* textsOf(records: readonly ChainedRecord[]): AsyncGenerator<string> {
  for (const record of records) yield JSON.stringify(presentAuditRecord(record));
}

export function routeAuditRecords(app: FastifyInstance, { payments: { store }, costly }: ReadingContext): void {
  app.get(
    '/v1/audit',
    { schema: { operationId: 'listAuditRecords', querystring: AuditListQuery } },
    async (request, reply) => {
      const query = request.query as Static<typeof AuditListQuery>;
      requireKnownFilters(query, AuditListQuery);
      const limit = readLimit(query.limit);
      const after = readPosition(query.after);
      const { id: merchantId, parts } = merchantOf(request);
      const chain = { merchantId, part: parts[0] };
      const findPage = async (): Promise<string> => {
        // One more than asked for tells whether there is a next page.
        const records = await readChain(store.pool, chain, { after, limit: limit + 1 });
        const texts = await fillPage(textsOf(records.slice(0, limit)));
        const last = texts.length < records.length ? records[texts.length - 1] : undefined;
        return pageText('records', texts, last && String(last.number));
      };
      const body = await listInTurn(costly, request, reply, () => store.kept(findPage));
      return sendAnswer(reply, { status: 200, body });
    },
  );
}
