// The steps of the write path by name, published where somebody listens: a tracer in production, and the tests that hold
// a payment at each of them and end the process. Without a listener a step costs nothing.
import { channel } from 'node:diagnostics_channel';

/** Every point at which the write path of a movement at an acquirer can be cut. */
export const STEPS = [
  'decided',
  'intent committed',
  'before send',
  'after send',
  'before settle',
  'settled',
  'charge at once intended',
  'before answer',
  'answer kept',
  'claimed',
  'asked',
  'resolved',
] as const;

export type Step = (typeof STEPS)[number];

/** What is published: a payment is at a step. A listener may set a promise that the payment is to wait for. */
export type Reached = { readonly step: Step; readonly paymentId: string; wait?: Promise<void> };

const steps = channel('kassa.step');

export function reached(step: Step, paymentId: string): Promise<void> | undefined {
  if (!steps.hasSubscribers) return undefined;
  const message: Reached = { step, paymentId };
  steps.publish(message);
  return message.wait;
}
