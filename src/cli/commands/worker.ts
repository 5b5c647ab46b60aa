// `kassa worker`: delivers events, runs bulk charges and does the housekeeping, in a process of its own. Like the service,
// it is loaded on demand.
import type { Command } from '../terminal/command.ts';

export const worker: Command = {
  more: [
    'Run as many as you like, on one machine or several: they share the work, and nothing is lost when one crashes.',
    'The service also delivers events, unless its KASSA_DELIVERIES is off. Settings: DATABASE_URL or KASSA_DATA_DIR,',
    'KASSA_RETAIN_… and KASSA_PAYMENT_LIFETIME with the same values as the service, KASSA_LOG_LEVEL, and',
    'KASSA_METRICS_PORT for /metrics.',
  ].join('\n'),
  run: async ({ config }) => {
    const { runWorker } = await import('../../start/worker.ts');
    await runWorker(config);
    return 0;
  },
};
