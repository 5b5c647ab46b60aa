// Finds the command for a command line: help, version, groups, and suggestions for typos.
import { UnknownSetting } from '../config/bad-config.ts';
import { readConfig } from '../config.ts';
import type { Config } from '../config.ts';
import { commands } from './commands.ts';
import type { ListedCommand } from './commands.ts';
import { print } from '../ops/print.ts';
import { UserError } from '../ops/user-error.ts';
import { helpOf, helpOfAll, helpOfGroup } from './terminal/help.ts';
import { nearestOf } from '../config/nearest.ts';
import { parseInvocation } from './terminal/parse.ts';
import { version } from '../ops/version.ts';

const groups: readonly string[] = [
  ...new Set(commands.map(({ name }) => name.split(' ')).flatMap(([first = '', second]) => (second ? [first] : []))),
];

const membersOf = (group: string): ListedCommand[] => commands.filter(({ name }) => name.startsWith(`${group} `));

function findCommand(words: readonly string[]): ListedCommand | undefined {
  const [one, two] = [words[0], words.slice(0, 2).join(' ')];
  return commands.find(({ name }) => name === two) ?? commands.find(({ name }) => name === one);
}

/** The command or group that was probably meant, word by word. */
function guess([first = '', second]: readonly string[]): string | undefined {
  const tried = commands.find(({ alsoTried }) => alsoTried?.includes(first))?.name;
  const single = commands.map(({ name }) => name).filter((name) => !name.includes(' '));
  const meant = tried ?? nearestOf(first, [...groups, ...single]);
  if (meant === undefined || second === undefined || !groups.includes(meant)) return meant;
  const member = nearestOf(
    second,
    membersOf(meant).map(({ name }) => name.slice(meant.length + 1)),
  );
  return member === undefined ? meant : `${meant} ${member}`;
}

function explainUnknown(words: readonly string[]): UserError {
  const isGroup = groups.includes(words[0] ?? '');
  const typed = words.slice(0, isGroup ? 2 : 1).join(' ');
  const meant = guess(words);
  if (meant === undefined) return new UserError(`Unknown command ${typed}. kassa --help lists the commands.`);
  if (meant === words[0] && commands.some(({ name }) => name === meant))
    return new UserError(
      `Unknown command ${typed}. kassa ${meant} takes no subcommand of that name; see kassa help ${meant}.`,
    );
  if (meant === words[0]) return new UserError(`Unknown command ${typed}. kassa ${meant} lists its commands.`);
  return new UserError(`Unknown command ${typed}. Did you mean kassa ${meant}?`);
}

/** The help for words that name no command of their own; undefined when they do. */
function helpFor(words: readonly string[]): string | undefined {
  const [first] = words;
  if (first === undefined) return helpOfAll(commands, version);
  if (groups.includes(first) && words.length === 1 && findCommand(words) === undefined)
    return helpOfGroup(first, membersOf(first));
  return undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

function readSettings(environment: Environment): Config {
  try {
    return readConfig(environment);
  } catch (error) {
    if (!(error instanceof UnknownSetting)) throw error;
    // The common prefix says nothing about which one was meant.
    const suffix = (setting: string): string => setting.replace('KASSA_', '').toLowerCase();
    for (const name of error.unknown) {
      const meant = nearestOf(suffix(name), error.known.map(suffix));
      if (meant) throw new UserError(`Unknown setting ${name}; did you mean KASSA_${meant.toUpperCase()}?`);
    }
    throw error;
  }
}

export async function dispatch(args: readonly string[], environment: Environment): Promise<number> {
  const asksHelp = args[0] === 'help';
  const rest = asksHelp ? args.slice(1) : args;
  const firstOption = rest.findIndex((word) => word.startsWith('-'));
  const words = firstOption === -1 ? rest : rest.slice(0, firstOption);

  if (words.length === 0 && ['--version', '-v'].includes(rest[0] ?? '')) {
    print(version);
    return 0;
  }
  if (words.length === 0 && rest[0] !== undefined && !['--help', '-h'].includes(rest[0]))
    throw new UserError(`Unknown option ${rest[0]}. kassa --help lists the commands.`);
  const help = helpFor(words);
  if (help !== undefined) {
    print(help);
    return 0;
  }
  const found = findCommand(words);
  const isGroupAsWell = groups.includes(words[0] ?? '') && found?.name === words[0] && words.length > 1;
  if (found === undefined || isGroupAsWell) throw explainUnknown(words);
  const command = { ...found, ...(await found.load()) };
  const after = rest.slice(command.name.split(' ').length);
  if (asksHelp || after.includes('--help') || after.includes('-h')) {
    print(helpOf(command));
    return 0;
  }
  // For anything thrown from here on; the command's own exit code replaces it.
  process.exitCode = command.troubleCode ?? 1;
  const { options, positionals } = parseInvocation(command, after);
  const first = command.judgesSettings ? undefined : readSettings(environment);
  return command.run({
    get config() {
      return first ?? readSettings(environment);
    },
    options,
    positionals,
  });
}
