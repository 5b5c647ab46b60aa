// The messages between the supervisor and its processes. After an upgrade in place and a SIGHUP, a process may be newer
// than its supervisor: messages may be added, but not changed.
import type { Figures } from '../../ops/metrics.ts';

/** The local address of the service. */
export type Address = { readonly url: string; readonly consoleUrl?: string };

/** What a process needs to start. */
export type Place = {
  /** From 1; a replacement has the same number. */
  readonly number: number;
  /** The first process prints the banner. */
  readonly isFirst: boolean;
  /** The ports to listen on: 0 is the same free port for all. */
  readonly port: number;
  readonly consolePort: number | undefined;
  /** The embedded Postgres, which the supervisor owns. */
  readonly embeddedUrl: string | undefined;
  /** The address of the metrics, if they have their own port. */
  readonly metricsUrl: string | undefined;
};

export type Stop = {
  /** The signal that the supervisor received. */
  readonly signal?: NodeJS.Signals;
  /** Another process takes over: the service as a whole is not stopping. */
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
