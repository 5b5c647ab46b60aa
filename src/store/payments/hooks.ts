// What publishing needs of a payment's own hooks, made once when the payment is created. Hooks with one address share a
// lane, and one address hears of an event once.
import type { WebHook } from '../../domain/payment.ts';

type Hook = {
  readonly event: string;
  /** The first place of this address in the list that the shop gave. */
  readonly lane: number;
  /** The place of this hook. */
  readonly n: number;
  /** Whose lanes must not hold up those of others. */
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
