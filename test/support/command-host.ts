// A process that runs commands of kassa, one after the other, without starting anew for each: see commands.ts.
import { dispatch } from '../../src/cli/dispatch.ts';
import { describeFailure } from '../../src/start/failure.ts';
import type { Ended } from '../../proof/program.ts';

export type CommandRequest = { readonly args: readonly string[]; readonly env: Readonly<Record<string, string>> };

const written = { out: '', err: '' };
for (const [name, stream] of [
  ['out', process.stdout],
  ['err', process.stderr],
] as const)
  stream.write = (text: string | Uint8Array): boolean => {
    written[name] += String(text);
    return true;
  };

/** By what it sets, as the process would: nothing is told of it by the type. */
const exitCode = (): number => Number(process.exitCode);

async function run({ args, env }: CommandRequest): Promise<Ended> {
  Object.assign(written, { out: '', err: '' });
  process.exitCode = 1;
  try {
    process.exitCode = await dispatch(args, env);
  } catch (error) {
    written.err += describeFailure(error);
  }
  return { code: exitCode(), signal: null, ...written };
}

process.on('message', (request: CommandRequest) => {
  void run(request).then((ended) => process.send?.(ended));
});
process.on('disconnect', () => process.exit(0));
