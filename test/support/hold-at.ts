// Loaded into a service before its program: holds a payment for ever at the checkpoint that the plan has for it. What
// it did until then is done, and nothing of it is done any more, as if the process had ended there; then the process is
// ended. The plan is a folder, named by HOLD_PLAN, with a file for each payment.
import { subscribe } from 'node:diagnostics_channel';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CheckpointMessage } from '../../src/ops/checkpoints.ts';
import type { CrashPoint } from './crash-plan.ts';

const folder = process.env['HOLD_PLAN'] as string;

/** Undefined for a payment without a plan, or one that was held already. */
function readPlan(file: string): CrashPoint | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as CrashPoint;
  } catch {
    return undefined;
  }
}

subscribe('kassa.checkpoint', (published) => {
  const message = published as CheckpointMessage;
  const file = join(folder, message.paymentId);
  const point = readPlan(file);
  if (point?.checkpoint !== message.checkpoint) return;
  if (point.nth > 1) return writeFileSync(file, JSON.stringify({ ...point, nth: point.nth - 1 }));
  message.wait = new Promise(() => {});
  renameSync(file, `${file}.held`);
});
