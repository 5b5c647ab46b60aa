// Parses the words after a command's name, with error messages of our own.
import { parseArgs } from 'node:util';
import type { ParseArgsOptionsConfig } from 'node:util';
import { SETTINGS } from '../../config/settings.ts';
import { UserError } from '../../ops/user-error.ts';
import type { Invocation, NamedCommand, Options } from './command.ts';
import { usageOf } from './help.ts';
import { nearestOf } from '../../config/nearest.ts';

type Parsed = Pick<Invocation, 'options' | 'positionals'>;

/** The setting that an option such as --port or --data-dir names. */
function settingOf(option: string): string | undefined {
  const name = option.replace('--', '').replaceAll('-', '_').toUpperCase();
  return [name, `KASSA_${name}`].find((setting) => setting in SETTINGS);
}

function explainParseError(error: Error & { code?: string }, command: NamedCommand): UserError {
  const usage = `\nUsage: ${usageOf(command)}`;
  const option = /'(-[^'\s<=,]*)/.exec(error.message)?.[1] ?? '';
  const names = Object.keys(command.options ?? {}).map((name) => `--${name}`);
  if (error.code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
    const meant = nearestOf(option, names);
    const setting = settingOf(option);
    const hint = setting ? `. Set ${setting} in the environment.` : meant ? `; did you mean ${meant}?` : '.';
    return new UserError(`Unknown option ${option}${hint}${usage}`);
  }
  const known = Object.entries(command.options ?? {}).find(([name]) => error.message.includes(`--${name}`));
  if (known?.[1].value !== undefined)
    return new UserError(`--${known[0]} needs a value: --${known[0]} ${known[1].value}.${usage}`);
  return new UserError(`${option} takes no value.${usage}`);
}

function requirePositionals(command: NamedCommand, given: readonly string[]): void {
  const expected = command.positionals ?? [];
  const usage = `\nUsage: ${usageOf(command)}`;
  if (given.length < expected.filter((name) => !name.startsWith('[')).length)
    throw new UserError(`${expected[given.length]} is missing.${usage}`);
  if (given.length > expected.length) {
    const surplus = given.slice(expected.length).join(' ');
    // A number is never a state.
    const candidates = /^\d+$/.test(surplus) ? ['name', 'acquirer'] : ['name', 'acquirer', 'state'];
    const meant = candidates.find((name) => command.options?.[name]);
    const value = /^[\w-]+$/.test(surplus) ? surplus : JSON.stringify(surplus);
    const hint = meant ? `; did you mean --${meant} ${value}?` : '.';
    throw new UserError(`Unexpected argument ${surplus}${hint}${usage}`);
  }
}

export function parseInvocation(command: NamedCommand, args: readonly string[]): Parsed {
  const options: ParseArgsOptionsConfig = {};
  for (const [name, { type }] of Object.entries(command.options ?? {})) options[name] = { type };
  let parsed;
  try {
    parsed = parseArgs({ args: [...args], options, allowPositionals: true, allowNegative: true });
  } catch (error) {
    throw explainParseError(error as Error, command);
  }
  requirePositionals(command, parsed.positionals);
  return { options: parsed.values as Options, positionals: parsed.positionals };
}
