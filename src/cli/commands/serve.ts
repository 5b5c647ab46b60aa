// `kassa serve`: the service. It is loaded on demand, so that small commands need not wait for it.
import { SECRETS, SETTINGS, fileNameOf } from '../../config/settings.ts';
import { TRACING_SETTINGS } from '../../config/tracing.ts';
import { alignRows } from '../../ops/print.ts';
import { UserError } from '../../ops/user-error.ts';
import type { Command } from '../terminal/command.ts';
import { readPort } from '../terminal/port.ts';

const settings = alignRows([
  ['Setting', 'Default', 'Meaning'],
  ...Object.entries(SETTINGS).map(([name, [fallback, meaning]]) => [name, fallback, meaning]),
]);

const traces = alignRows([
  ['Tracing', 'Default', 'Meaning'],
  ...Object.entries(TRACING_SETTINGS).map(([name, [fallback, meaning]]) => [name, fallback, meaning]),
]);

const files = `${SECRETS.map(fileNameOf).join('\n')}
name a file that contains the secret, instead of the setting itself.`;

export const serve: Command = {
  usage: '[--port PORT]',
  more: `Without DATABASE_URL it runs an embedded Postgres. Settings come from the environment:\n\n${settings}\n\n${traces}\n\n${files}`,
  options: { port: { type: 'string', value: 'PORT', what: 'Port to listen on, instead of the setting PORT.' } },
  run: async ({ config, options }) => {
    const { port: given } = options as { port?: string };
    const port = given === undefined ? config.port : readPort(given);
    if (port !== 0 && port === config.metricsPort)
      throw new UserError(`--port and KASSA_METRICS_PORT are both ${port}; they must differ.`);
    if (config.processes > 1) {
      const { runProcesses } = await import('../../start/processes/run.ts');
      return runProcesses({ ...config, port });
    }
    const { runService } = await import('../../start/service.ts');
    await runService({ ...config, port });
    return 0;
  },
};
