// What the supervisor and the processes that it started say to each other. A process may be of a later version than its
// supervisor, after an upgrade in place and a SIGHUP: what is here may be added to, and nothing of it changed.
import type { Figures } from '../../ops/metrics.ts';

/** Where this machine reaches the service. */
export type Address = { readonly url: string; readonly consoleUrl?: string };

/** What a process has to know before it starts. */
export type Place = {
  /** From 1 on; whoever replaces another has its number. */
  readonly number: number;
  /** The first says hello to people. */
  readonly isFirst: boolean;
  /** The ports to listen on: 0 is the same free one for all. */
  readonly port: number;
  readonly consolePort: number | undefined;
  /** The embedded Postgres, which is the supervisor's. */
  readonly embeddedUrl: string | undefined;
  /** Where the figures of all are, if they have a port of their own. */
  readonly metricsUrl: string | undefined;
};

export type Stop = {
  /** What the supervisor was sent. */
  readonly signal?: NodeJS.Signals;
  /** Another process serves in its place: the service as a whole is not stopping. */
  readonly isReplaced?: boolean;
};

export type ToProcess =
  | { readonly says: 'start'; readonly place: Place }
  | { readonly says: 'stop'; readonly how: Stop }
  | { readonly says: 'tell figures' }
  | { readonly says: 'sum'; readonly text: string };

export type FromProcess =
  | { readonly says: 'hello' }
  | { readonly says: 'ready'; readonly address: Address }
  | { readonly says: 'figures'; readonly figures: Figures }
  | { readonly says: 'sum, please' };
