// What the demo shop remembers of its orders: the calls that it made for each, and what the visitor chose. It is kept
// in memory and bounded; the payments themselves are Kassa's to keep, so that a restart loses nothing but this story.
import type { Scenario } from './scenario.ts';

export type Call = {
  readonly at: number;
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  /** As they are shown: the secret key with its end alone. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Left out when there was no answer. */
  readonly status?: number;
  readonly ms: number;
  readonly answer?: unknown;
  /** Where the operation stands in the API reference. */
  readonly operationId: string;
};

/** What Kassa tells a shop of, as its webhooks would. */
export type DemoEvent = {
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly amount?: number;
  readonly reason?: string;
};

export type Entry = { readonly scenario?: Scenario; readonly calls: readonly Call[] };

export type Journal = {
  open(paymentId: string, scenario: Scenario, call: Call): void;
  add(paymentId: string, call: Call): void;
  /** Undefined when the shop has forgotten it, or never knew. */
  of(paymentId: string): Entry | undefined;
};

const MOST_PAYMENTS = 200;
const MOST_CALLS = 50;

export function openJournal(): Journal {
  // A map keeps the order in which its keys came: the first one is the oldest.
  const entries = new Map<string, Entry>();
  const put = (paymentId: string, entry: Entry): void => {
    entries.delete(paymentId);
    entries.set(paymentId, entry);
    const [oldest] = entries.keys();
    if (entries.size > MOST_PAYMENTS && oldest !== undefined) entries.delete(oldest);
  };
  return {
    open: (paymentId, scenario, call) => put(paymentId, { scenario, calls: [call] }),
    add: (paymentId, call) => {
      const entry = entries.get(paymentId);
      put(paymentId, { ...entry, calls: [...(entry?.calls ?? []), call].slice(-MOST_CALLS) });
    },
    of: (paymentId) => entries.get(paymentId),
  };
}
