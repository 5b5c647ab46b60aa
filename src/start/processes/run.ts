// Runs this process as the supervisor, or as one of the processes it started.
import cluster from 'node:cluster';
import type { Config } from '../../config.ts';

/** Runs until shutdown is requested; returns the exit code. */
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
