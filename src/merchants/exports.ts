// Records an export of payments in the audit of the merchant.
import type { Actor } from '../domain/audit.ts';
import type { Merchant } from '../domain/merchant.ts';
import { recordAct } from '../store/audit/audit.ts';
import { understand } from '../store/lists/listing/understand.ts';
import type { Meaning } from '../store/lists/listing/understand.ts';
import type { Pool } from '../store/connections/pool.ts';
import { withinTransaction } from '../store/connections/transaction.ts';

export type Export = {
  readonly format: string;
  /** The filters of the list, without the search text. */
  readonly filters: Readonly<Record<string, string>>;
  readonly searched?: string;
  /** The number of payments exported. */
  readonly rows: number;
  /** Whether it is complete; otherwise it failed, or the client disconnected. */
  readonly isWhole: boolean;
};

// The field of a partial search: the beginning of a reference is a reference.
const ALSO: Partial<Record<Meaning['kind'], Meaning['kind']>> = {
  beginning: 'reference',
  'first name': 'name',
  'short id': 'id',
};

const kindsOf = (searched: string): readonly string[] => [
  ...new Set(understand(searched).map(({ kind }) => ALSO[kind] ?? kind)),
];

export function recordExport(
  pool: Pool,
  actor: Actor,
  merchant: Pick<Merchant, 'id' | 'parts'>,
  { format, filters, searched, rows, isWhole }: Export,
): Promise<void> {
  // A search text may be personal data that can be erased elsewhere, so only its kind is recorded.
  const kinds = searched === undefined ? [] : kindsOf(searched);
  const after = { format, rows, complete: isWhole, ...filters, ...(kinds.length > 0 && { search: kinds }) };
  return withinTransaction(pool, (within) =>
    recordAct(within, merchant, { actor, action: 'payment.export', subject: String(merchant.id), after }),
  );
}
