// `kassa serve`: the service. It is loaded when it is asked for, so that the small commands need not wait for it.
import { SETTINGS } from '../../config/settings.ts';
import { alignRows } from '../../ops/print.ts';
import type { Command } from '../terminal/command.ts';

const settings = alignRows([
  ['Setting', 'Default', 'Meaning'],
  ...Object.entries(SETTINGS).map(([name, [fallback, meaning]]) => [name, fallback, meaning]),
]);

export const serve: Command = {
  more: `Without DATABASE_URL it brings a Postgres of its own. Settings come from the environment:\n\n${settings}`,
  run: async ({ config }) => {
    const { runService } = await import('../../start/service.ts');
    await runService(config);
    return 0;
  },
};
