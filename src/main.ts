// The process: finds the command, gives it the configuration, turns what it throws into one sentence and an exit code.
import { commands } from './cli/commands.ts';
import { helpOf, parseInvocation, print, UserError } from './cli/command.ts';
import type { Command } from './cli/command.ts';
import { BadConfig, readConfig } from './config.ts';
import { DatabaseTooNew, DatabaseTooOld } from './store/migrate.ts';

function findCommand(args: readonly string[]): { command: Command; rest: readonly string[] } | undefined {
  for (const words of [2, 1]) {
    const name = args.slice(0, words).join(' ');
    const command = commands.find((each) => each.name === name);
    if (command) return { command, rest: args.slice(words) };
  }
  return undefined;
}

function overview(): string {
  const lines = commands.map(({ name, summary }) => `  ${name.padEnd(18)}${summary}`);
  return `kassa: a payment checkout that you run yourself\n\nCommands:\n${lines.join('\n')}\n\nkassa COMMAND --help tells more.`;
}

async function run(args: readonly string[]): Promise<number> {
  const found = findCommand(args);
  if (found === undefined) {
    const asked = args.length === 0 || args.includes('--help') || args[0] === 'help';
    if (asked) print(overview());
    else throw new UserError(`there is no command ${args.slice(0, 2).join(' ')}. kassa --help lists them.`);
    return 0;
  }
  const { options, positionals } = parseInvocation(found.command, found.rest);
  if (options['help'] === true) {
    print(helpOf(found.command));
    return 0;
  }
  return found.command.run({ config: readConfig(process.env), options, positionals });
}

const MENDABLE = [UserError, BadConfig, DatabaseTooNew, DatabaseTooOld];

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  const isMendable = MENDABLE.some((kind) => error instanceof kind);
  process.stderr.write(`kassa: ${isMendable ? (error as Error).message : String((error as Error).stack ?? error)}\n`);
  process.exitCode = 1;
}
