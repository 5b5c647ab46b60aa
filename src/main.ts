// The entry point: runs the command, and turns errors into a message and an exit code.
import { dispatch } from './cli/dispatch.ts';
import { describeFailure } from './start/failure.ts';

// The reader of our output may stop reading (`kassa merchant list | head`), which is not an error.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: Error & { code?: string }) => {
    if (error.code !== 'EPIPE') throw error;
  });

try {
  process.exitCode = await dispatch(process.argv.slice(2), process.env);
} catch (error) {
  // Exit explicitly: a half-open connection may keep the process alive for a minute.
  process.stderr.write(describeFailure(error), () => process.exit(process.exitCode ?? 1));
}
