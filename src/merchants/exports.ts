// The use case of an export of payments: that somebody took them away is told in the audit of their merchant.
import type { Actor } from '../domain/audit.ts';
import type { Merchant } from '../domain/merchant.ts';
import { recordAct } from '../store/audit/audit.ts';
import { understand } from '../store/lists/listing/understand.ts';
import type { Meaning } from '../store/lists/listing/understand.ts';
import type { Pool } from '../store/connections/pool.ts';
import { withinTransaction } from '../store/connections/transaction.ts';

export type Export = {
  readonly format: string;
  /** What the list was narrowed by, field by field, without what was searched for. */
  readonly filters: Readonly<Record<string, string>>;
  readonly searched?: string;
  /** How many payments were in it. */
  readonly rows: number;
  /** Whether it was all of them; otherwise it broke off, or whoever asked went away. */
  readonly isWhole: boolean;
};

// Of what a text may mean, what it was of: the beginning of a reference is a reference.
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
  // A text that is searched for may be a consumer's name or address, which can be erased elsewhere: only its kind is kept.
  const kinds = searched === undefined ? [] : kindsOf(searched);
  const after = { format, rows, complete: isWhole, ...filters, ...(kinds.length > 0 && { search: kinds }) };
  return withinTransaction(pool, (within) =>
    recordAct(within, merchant, { actor, action: 'payment.export', subject: String(merchant.id), after }),
  );
}
