// Seals: a digest in each row of what must not change outside the service. The statement that writes a row computes its
// seal, and `kassa verify` computes it again; editing a row by hand does not update it. A row without a seal, such as
// those of `kassa load-sample`, is not checked. Seals are no protection against an attacker who recomputes them: they
// find mistakes and disk corruption.

/**
 * The columns that each seal covers; adding one breaks existing seals. The recording time is not covered: figures,
 * payouts and retention depend on it, and `kassa verify` compares those.
 */
export const SEALED = {
  events: ['part', 'subject_id', 'version', 'ordinal', 'merchant_id', 'name', 'happened_at', 'movement_id', 'data'],
  // Sealed by the statement that writes its outcome; the refunded amount of a charge changes later, and follows from
  // refunds.
  movements: [
    'part',
    'id',
    'payment_id',
    'sequence',
    'kind',
    'state',
    'amount',
    'items',
    'updated_at',
    'acquirer',
    'source',
    'charge_id',
    'invoice_number',
    'reason',
    'details',
  ],
  // Payments and subscriptions are sealed again by every statement of ours that changes a covered column.
  payments: [
    'part',
    'id',
    'merchant_id',
    'amount',
    'currency',
    'reference',
    'my_reference',
    'items',
    'checkout_url',
    'checkout',
    'consumer',
    'method',
    'challenge',
    'hooks',
    'terminated_at',
    'created_by',
  ],
  subscriptions: [
    'part',
    'id',
    'merchant_id',
    'kind',
    'began_on',
    'interval_days',
    'ends_at',
    'allow_variable_amount',
    'payment_id',
    'acquirer',
    'source',
    'method',
    'consent',
    'secret',
    'ended_at',
    'ended_by',
  ],
  payment_changes: ['part', 'payment_id', 'version', 'kind', 'happened_at', 'key_id', 'person_id', 'before', 'after'],
  renewals: ['part', 'payment_id', 'subscription_id', 'day', 'card_payment_id'],
  invoice_numbers: ['part', 'movement_id', 'payment_id', 'merchant_id', 'number', 'seller'],
  // Its sums grow while its day is gathered, and follow from its actions.
  payouts: ['part', 'id', 'merchant_id', 'day', 'currency'],
  payout_actions: ['part', 'movement_id', 'payout_id', 'place', 'vat'],
  // Its name and its hooks are deleted before the rest of it.
  bulks: ['part', 'id', 'merchant_id', 'kind', 'purpose', 'key', 'request', 'entry_count', 'created_by'],
  bulk_entries: ['part', 'bulk_id', 'place', 'merchant_id', 'subscription_id', 'payment_id', 'my_reference'],
  // Sealed by the statement that writes its answer.
  idempotency_records: [
    'part',
    'merchant_id',
    'operation',
    'target',
    'key',
    'subject_id',
    'request',
    'status',
    'answer',
    'movement_id',
    'lasting',
  ],
} as const;

export type SealedTable = keyof typeof SEALED;

/** As text that does not depend on session settings. */
function valueOf(column: string, from: string): string {
  if (column.endsWith('_at')) return `extract(epoch from ${from})`;
  return column === 'request' ? `encode(${from}, 'hex')` : from;
}

// Eight bytes detect mistakes as well as 32, and there are about ten rows per payment.
const SEAL_BYTES = 8;

/** The seal of a row with the columns of `row`, except where `others` replaces one by an expression. */
export function sealOf(table: SealedTable, row: string, others: Readonly<Record<string, string>> = {}): string {
  const values = SEALED[table].map((column) => valueOf(column, others[column] ?? `${row}.${column}`));
  return `substr(sha256(convert_to(json_build_array(${values.join(', ')})::text, 'UTF8')), 1, ${SEAL_BYTES})`;
}

const PLACE = /\{seal (\w+) of (\w+)((?:;[^{};]+)*)\}/g;

/** Expands {seal TABLE of ROW} and {seal TABLE of ROW; COLUMN EXPRESSION; …} in a statement. */
export const withSeals = (text: string): string =>
  text.replaceAll(PLACE, (_all, table: SealedTable, row: string, rest: string) => {
    const others = [...rest.matchAll(/;\s*(\w+)\s+([^;]+)/g)].map(([, column, expression]) => [column, expression]);
    return sealOf(table, row, Object.fromEntries(others) as Record<string, string>);
  });
