// The process: hands the command line and the environment over, turns what is thrown into one sentence and an exit code.
import { dispatch } from './cli/dispatch.ts';
import { describeFailure } from './start/failure.ts';

// Who reads our output may stop reading (`kassa merchant list | head`): that is no fault.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: Error & { code?: string }) => {
    if (error.code !== 'EPIPE') throw error;
  });

try {
  process.exitCode = await dispatch(process.argv.slice(2), process.env);
} catch (error) {
  // Not by itself: a connection that was refused half-way may hold the process for a minute.
  process.stderr.write(describeFailure(error), () => process.exit(process.exitCode ?? 1));
}
