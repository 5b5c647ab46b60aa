// What the service and the worker need to move money: the store, the acquirers and their observer, and lifetimes.
import type { Log } from '../ops/log.ts';
import type { Metrics } from '../ops/metrics.ts';
import { openAcquirers } from '../payments/acquirers.ts';
import type { AcquirerObserver } from '../payments/acquirers.ts';
import type { Payments } from '../payments/service.ts';
import type { Store } from '../store/store.ts';
import type { Opened } from './process.ts';
import type { Tracing } from './tracing.ts';

/** Logs when the circuit breaker of an acquirer opens and closes, and every unknown outcome. */
const watchAcquirers = ({ logger }: Log, metrics: Metrics): AcquirerObserver => ({
  onCall: (acquirer, result) => metrics.onAcquirerCall(acquirer, result),
  onOpened: (acquirer) => metrics.onAcquirerOpen(acquirer, false),
  onLeftAlone: (acquirer, why) => {
    metrics.onAcquirerOpen(acquirer, true);
    logger.warn({ acquirer, why }, 'circuit breaker open for an acquirer; its merchants get 503');
  },
  onBack: (acquirer) => {
    metrics.onAcquirerOpen(acquirer, false);
    logger.warn({ acquirer }, 'circuit breaker closed: the acquirer responds again');
  },
  onUnknown: (movement) => logger.warn(movement, 'the outcome of a movement is unknown'),
});

export const openPayments = (
  { config, log }: Pick<Opened, 'config' | 'log'>,
  store: Store,
  metrics: Metrics,
  tracing: Tracing | undefined,
): Payments => ({
  store,
  acquirers: openAcquirers(store.pool, config.acquirerTimeoutMs, watchAcquirers(log, metrics), tracing?.outgoing),
  lifetimes: { paymentMs: config.paymentLifetimeMs, reservationMs: config.reservationLifetimeMs },
});
