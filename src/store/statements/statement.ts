// Reads the frequent statements from their files, once, at the start, and expands their placeholders: {payment} to the
// columns of a payment, {state} to the part of its state that does not depend on the time, {stamp} to what identifies
// its current state, {timeline} to the timeline if there is a synchronous standby, {seal …} to the seal of a row.
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
