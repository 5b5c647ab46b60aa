// Records of the audit as they leave Kassa: by the API, and as lines for a collector. A record's number is its position for
// good, so whoever has read up to one goes on behind it.
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
