// Reads the hot statements from their files, once, when the program starts. Where {payment} stands, a payment's columns
// do, as its reader knows them; where {state} does, what of its state does not depend on the time; where {stamp} does,
// what tells it as it is from what it becomes; where {timeline} does, that of a database with a synchronous standby; where
// {seal …} does, the seal of a row.
import { readFileSync } from 'node:fs';
import { PAYMENT_COLUMNS, PAYMENT_STAMP } from './payment-row.ts';
import type { Statement } from '../connections/pool.ts';
import { LASTING_STATE } from './payment-state.ts';
import { withSeals } from './seals.ts';
import { SYNCHRONOUS_TIMELINE } from '../connections/timeline.ts';

export function readStatement(name: string): Statement {
  const text = readFileSync(new URL(`${name}.sql`, import.meta.url), 'utf8');
  const whole = text
    .replace('{payment}', PAYMENT_COLUMNS)
    .replaceAll('{stamp}', PAYMENT_STAMP)
    .replace('{state}', LASTING_STATE);
  return { name, text: withSeals(whole.replace('{timeline}', SYNCHRONOUS_TIMELINE)) };
}
