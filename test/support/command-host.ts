// A process that runs commands of kassa, one after the other, without starting anew for each: see commands.ts.
import { dispatch } from '../../src/cli/dispatch.ts';
import { describeFailure } from '../../src/start/failure.ts';
import type { Ended } from '../../proof/program.ts';

export type CommandRequest = { readonly args: readonly string[]; readonly env: Readonly<Record<string, string>> };

const written = { out: '', err: '' };
process.stdout.write = (text: string | Uint8Array): boolean => ((written.out += String(text)), true);
process.stderr.write = (text: string | Uint8Array): boolean => ((written.err += String(text)), true);

async function run({ args, env }: CommandRequest): Promise<Ended> {
  [written.out, written.err, process.exitCode] = ['', '', undefined];
  let code: number;
  try {
    code = await dispatch(args, env);
  } catch (error) {
    written.err += describeFailure(error);
    code = Number(process.exitCode ?? 1);
  }
  return { code, signal: null, ...written };
}

process.on('message', (request: CommandRequest) => {
  void run(request).then((ended) => process.send?.(ended));
});
process.on('disconnect', () => process.exit(0));
