// Named checkpoints of the write path, published on a diagnostics channel, for tests that pause a payment at each of them
// and kill the process. Without a subscriber a checkpoint costs nothing.
import { channel } from 'node:diagnostics_channel';

/** Every point at which the write path of a movement can be interrupted. */
export const CHECKPOINTS = [
  'decided',
  'intent committed',
  'before send',
  'after send',
  'before settle',
  'settled',
  'next intended',
  'before answer',
  'answer recorded',
  'claimed',
  'asked',
  'resolved',
] as const;

/** The checkpoints of a bulk entry, around its charge. */
export const ENTRY_CHECKPOINTS = ['entry claimed', 'entry done', 'entry ended'] as const;

export type Checkpoint = (typeof CHECKPOINTS)[number] | (typeof ENTRY_CHECKPOINTS)[number];

/** The message: a payment has reached a checkpoint. A subscriber may set a promise for it to wait for. */
export type CheckpointMessage = { readonly checkpoint: Checkpoint; readonly paymentId: string; wait?: Promise<void> };

const checkpoints = channel('kassa.checkpoint');

export function checkpoint(name: Checkpoint, paymentId: string): Promise<void> | undefined {
  if (!checkpoints.hasSubscribers) return undefined;
  const message: CheckpointMessage = { checkpoint: name, paymentId };
  checkpoints.publish(message);
  return message.wait;
}
