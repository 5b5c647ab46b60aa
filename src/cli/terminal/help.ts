// The help texts: for all commands, for a group such as `merchant`, and for one command.
import { alignRows } from '../../ops/print.ts';
import type { NamedCommand, Option, Outline } from './command.ts';

const listOf = (commands: readonly Outline[]): string =>
  alignRows(commands.map(({ name, summary }) => [`  ${name}`, summary]));

export function helpOfAll(commands: readonly Outline[], version: string): string {
  return [
    `kassa ${version}: a payment checkout that you run yourself`,
    '',
    'Usage: kassa COMMAND [OPTIONS]',
    '',
    listOf(commands),
    '',
    'kassa help COMMAND tells more of a command; kassa help serve lists the settings,',
    'which come from the environment and hold for every command.',
  ].join('\n');
}

export function helpOfGroup(group: string, commands: readonly Outline[]): string {
  return [`Usage: kassa ${group} COMMAND [OPTIONS]`, '', listOf(commands)].join('\n');
}

export const usageOf = ({ name, usage }: NamedCommand): string => ['kassa', name, usage].filter(Boolean).join(' ');

const HELP_OPTION: Option = { type: 'boolean', what: 'Show this help.' };

export function helpOf(command: NamedCommand): string {
  const options = Object.entries({ ...command.options, help: HELP_OPTION });
  const rows = options.map(([name, { what, value }]) => [`  --${name}${value === undefined ? '' : ` ${value}`}`, what]);
  const more = command.more === undefined ? [] : ['', command.more];
  return [command.summary, ...more, '', `Usage: ${usageOf(command)}`, '', alignRows(rows)].join('\n');
}
