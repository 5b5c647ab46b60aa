// `kassa worker`: delivers events, works off bulks and keeps the database in order, in a process of its own. It is loaded
// when it is asked for, as the service is.
import type { Command } from '../terminal/command.ts';

export const worker: Command = {
  more: [
    'Start as many as you like, on one machine or several: they share the work, and one that dies loses nothing.',
    'The service delivers as well, unless KASSA_DELIVERIES is off there. Settings: DATABASE_URL or KASSA_DATA_DIR,',
    'KASSA_RETAIN_… and KASSA_PAYMENT_LIFETIME as the service has them, KASSA_LOG_LEVEL, and KASSA_METRICS_PORT for its',
    '/metrics.',
  ].join('\n'),
  run: async ({ config }) => {
    const { runWorker } = await import('../../start/worker.ts');
    await runWorker(config);
    return 0;
  },
};
