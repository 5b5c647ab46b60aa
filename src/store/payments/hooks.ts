// A payment's own hooks, as publishing needs them, computed once when the payment is created. Hooks with the same
// address share a lane, and an address receives an event once.
import type { WebHook } from '../../domain/payment.ts';

type Hook = {
  readonly event: string;
  /** The first index of this address in the shop's list. */
  readonly lane: number;
  /** The index of this hook. */
  readonly n: number;
  /** The unit of fairness between lanes. */
  readonly endpoint: string;
};

export function hooksOf(webHooks: readonly WebHook[] | undefined): Hook[] | undefined {
  if (webHooks === undefined) return undefined;
  const hooks = new Map<string, Hook>();
  webHooks.forEach(({ eventName: event, url }, n) => {
    const lane = webHooks.findIndex((other) => other.url === url);
    const key = `${lane} ${event}`;
    if (!hooks.has(key)) hooks.set(key, { event, lane, n, endpoint: new URL(url).origin });
  });
  return [...hooks.values()];
}
