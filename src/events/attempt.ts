// What every request to an endpoint sends, and what its response means: whether the event was accepted, and what is
// kept.
import type { Attempt } from '../store/events/lanes.ts';
import type { Sent } from './sender.ts';

export const COMMON_HEADERS = { 'content-type': 'application/json', 'user-agent': 'Kassa' } as const;

/** Why a response did not accept the event, if its status alone does not say so. */
function whyNotTaken(status: number): string | undefined {
  if (status >= 300 && status < 400) return 'redirects are not followed';
  // A webhook would have accepted it.
  return status > 200 && status < 300 ? "only 200 is taken from a payment's own hook" : undefined;
}

/** A webhook accepts an event with any 2xx; for a payment's own hook existing clients mean it only with 200. */
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
