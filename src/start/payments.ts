// What the service and the worker need to move money: the store, the acquirers with whoever watches them, and the rules of
// time.
import type { Log } from '../ops/log.ts';
import type { Metrics } from '../ops/metrics.ts';
import { openAcquirers } from '../payments/acquirers.ts';
import type { AcquirerObserver } from '../payments/acquirers.ts';
import type { Payments } from '../payments/service.ts';
import type { Store } from '../store/store.ts';
import type { Opened } from './process.ts';
import type { Tracing } from './tracing.ts';

/** What the operator has to know of an acquirer: once when it is left alone, once when it is back, and each doubt. */
const watchAcquirers = ({ logger }: Log, metrics: Metrics): AcquirerObserver => ({
  onCall: (acquirer, result) => metrics.onAcquirerCall(acquirer, result),
  onOpened: (acquirer) => metrics.onAcquirerOpen(acquirer, false),
  onLeftAlone: (acquirer, why) => {
    metrics.onAcquirerOpen(acquirer, true);
    logger.warn({ acquirer, why }, 'the acquirer is left alone for a while; its merchants get 503');
  },
  onBack: (acquirer) => {
    metrics.onAcquirerOpen(acquirer, false);
    logger.warn({ acquirer }, 'the acquirer answers again');
  },
  onUnknown: (movement) => logger.warn(movement, 'the outcome of a movement is not known yet'),
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
