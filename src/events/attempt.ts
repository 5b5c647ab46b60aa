// What every request to an endpoint carries, and what its answer means: whether the event was taken, and what is kept.
import type { Attempt } from '../store/events/lanes.ts';
import type { Sent } from './sender.ts';

export const COMMON_HEADERS = { 'content-type': 'application/json', 'user-agent': 'Kassa' } as const;

/** Why an answer did not take the event, where its status alone does not say so. */
function whyNotTaken(status: number): string | undefined {
  if (status >= 300 && status < 400) return 'redirects are not followed';
  // A webhook would have taken it.
  return status > 200 && status < 300 ? "only 200 is taken from a payment's own hook" : undefined;
}

/** A webhook takes an event with any 2xx; the existing clients of payments' own hooks mean it only with 200. */
export function judgeAnswer(sent: Sent, at: number, isHook: boolean): { isTaken: boolean; attempt: Attempt } {
  const { ms, status, answer } = sent;
  const isTaken = status !== undefined && (isHook ? status === 200 : status >= 200 && status < 300);
  const error = sent.error ?? (isTaken ? undefined : whyNotTaken(status ?? 0));
  const attempt = {
    at: new Date(at).toISOString(),
    ms,
    ...(status !== undefined && { status }),
    ...(error !== undefined && { error }),
    ...(answer !== '' && { answer }),
  };
  return { isTaken, attempt };
}
