// The process: hands the command line and the environment over, turns what is thrown into one sentence and an exit code.
import { UserError } from './ops/user-error.ts';
import { dispatch } from './cli/dispatch.ts';
import { BadConfig } from './config/bad-config.ts';
import { FolderRefused } from './folders/own-file.ts';
import { DatabaseMisfit } from './store/database-misfit.ts';

// What people can mend; anything else is a defect and keeps its stack.
const MENDABLE = [UserError, BadConfig, FolderRefused, DatabaseMisfit];

// Who reads our output may stop reading (`kassa merchant list | head`): that is no fault.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: Error & { code?: string }) => {
    if (error.code !== 'EPIPE') throw error;
  });

try {
  process.exitCode = await dispatch(process.argv.slice(2), process.env);
} catch (error) {
  const isMendable = MENDABLE.some((kind) => error instanceof kind);
  const text = isMendable ? (error as Error).message : String((error as Error).stack ?? error);
  // Not by itself: a connection that was refused half-way may hold the process for a minute.
  process.stderr.write(`kassa: ${text}\n`, () => process.exit(process.exitCode ?? 1));
}
