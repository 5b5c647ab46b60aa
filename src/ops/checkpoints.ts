// The checkpoints of the write path by name, published where somebody listens: a tracer in production, and the tests
// that hold a payment at each of them and end the process. Without a listener a checkpoint costs nothing.
import { channel } from 'node:diagnostics_channel';

/** Every point at which the write path of a movement at an acquirer can be cut. */
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

/** Those of an entry of a bulk, around the way of its charge. */
export const ENTRY_CHECKPOINTS = ['entry claimed', 'entry done', 'entry ended'] as const;

export type Checkpoint = (typeof CHECKPOINTS)[number] | (typeof ENTRY_CHECKPOINTS)[number];

/** What is published: a payment is at a checkpoint. A listener may set a promise that the payment is to wait for. */
export type CheckpointMessage = { readonly checkpoint: Checkpoint; readonly paymentId: string; wait?: Promise<void> };

const checkpoints = channel('kassa.checkpoint');

export function checkpoint(name: Checkpoint, paymentId: string): Promise<void> | undefined {
  if (!checkpoints.hasSubscribers) return undefined;
  const message: CheckpointMessage = { checkpoint: name, paymentId };
  checkpoints.publish(message);
  return message.wait;
}
