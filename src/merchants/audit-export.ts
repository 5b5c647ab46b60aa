// The exported form of audit records, for the API and for collectors. A record's number is permanent, so that readers can
// resume after it.
import { isoTime } from '../domain/time.ts';
import type { ChainedRecord } from '../store/audit/audit.ts';

export const presentAuditRecord = (record: ChainedRecord) => ({
  number: record.number,
  at: isoTime(record.at),
  actor: record.actor,
  action: record.action,
  subject: record.subject,
  ...(record.before && { before: record.before }),
  ...(record.after && { after: record.after }),
  previousHash: record.previousHash.toString('hex'),
  hash: record.hash.toString('hex'),
});
