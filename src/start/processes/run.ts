// Whether this process is the supervisor or one of those that it started.
import cluster from 'node:cluster';
import type { Config } from '../../config.ts';

/** Runs until it is asked to end; gives the exit code. */
export async function runProcesses(config: Config): Promise<number> {
  if (cluster.isPrimary) {
    const { runSupervisor } = await import('./supervisor.ts');
    return runSupervisor(config);
  }
  const [{ joinSupervisor }, { runService }] = await Promise.all([import('./link.ts'), import('../service.ts')]);
  const link = await joinSupervisor();
  await runService({ ...config, port: link.port, consolePort: link.consolePort }, link);
  return 0;
}
