// Shell completion, as a script generated from the table of commands. The script contains the whole table, so that Tab
// starts no program.
import type { NamedCommand } from './command.ts';

type Word = { readonly word: string; readonly what: string };

/** What can complete the value of an option. */
type Value = 'files' | 'anything' | readonly string[];

/** A position in the command line: the words so far, and what can follow. */
type Place = {
  /** As typed: `merchant create`; empty at the start. */
  readonly words: string;
  readonly next: readonly Word[];
  /** The options that take a value, with dashes. */
  readonly values: Readonly<Record<string, Value>>;
};

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

const GENERAL: readonly Word[] = [
  { word: 'help', what: 'Describe a command.' },
  { word: '--help', what: 'List the commands.' },
  { word: '--version', what: 'Print the version.' },
];
const HELP: Word = { word: '--help', what: 'Show its help.' };

/** Choices are separated by bars; files have one of the usual names. */
function valueOf(spelled: string): Value {
  if (['FILE', 'DIR', 'FOLDER'].includes(spelled)) return 'files';
  return /^[a-z]+(?:\|[a-z]+)+$/.test(spelled) ? spelled.split('|') : 'anything';
}

/** What can follow a command: subcommands, choices and options. */
function placeOf(command: NamedCommand, below: readonly Word[]): Place {
  const options = Object.entries(command.options ?? {});
  const first = valueOf(command.positionals?.[0]?.replaceAll(/[[\]]/g, '') ?? '');
  const choices = typeof first === 'string' ? [] : first.map((word) => ({ word, what: '' }));
  const named = options.map(([name, { what }]) => ({ word: `--${name}`, what }));
  const valued = options.flatMap(([name, { value }]) =>
    value === undefined ? [] : [[`--${name}`, valueOf(value)] as const],
  );
  return { words: command.name, next: [...below, ...choices, ...named, HELP], values: Object.fromEntries(valued) };
}

function placesOf(commands: readonly NamedCommand[]): Place[] {
  const below = (group: string): Word[] =>
    commands
      .filter(({ name }) => name.startsWith(`${group} `))
      .map(({ name, summary }) => ({ word: name.slice(group.length + 1), what: summary }));
  const groups = [
    ...new Set(commands.flatMap(({ name }) => (name.includes(' ') ? [name.split(' ')[0] as string] : []))),
  ];
  const alone = commands.filter(({ name }) => !name.includes(' '));
  const bare = groups.filter((group) => alone.every(({ name }) => name !== group));
  const beginning = [
    ...alone.map(({ name, summary }) => ({ word: name, what: summary })),
    ...bare.map((group) => ({
      word: group,
      what: `${below(group)
        .map(({ word }) => word)
        .join(', ')}.`,
    })),
  ];
  return [
    { words: '', next: [...beginning, ...GENERAL], values: {} },
    ...bare.map((group) => ({ words: group, next: [...below(group), HELP], values: {} })),
    ...commands.map((command) => placeOf(command, below(command.name))),
  ];
}

const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
/** Fish can only escape quotes within a quoted string. */
const quoteFish = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`;

const wordsOf = ({ next }: Place): string => next.map(({ word }) => word).join(' ');

/** Shell cases for the options with a value. */
const casesOfValues = (places: readonly Place[], write: (at: string, value: Value) => string): string[] =>
  places.flatMap(({ words, values }) =>
    Object.entries(values).map(([option, value]) => write(quote(`${words} ${option}`), value)),
  );

// macOS has bash 3.2: no mapfile, no associative arrays, and maybe no compopt.
const bash = (places: readonly Place[]): string => `# Completion of kassa in bash: eval "$(kassa completion bash)"
_kassa() {
  local current="\${COMP_WORDS[COMP_CWORD]}" last="\${COMP_WORDS[COMP_CWORD-1]}" at='' word i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    case "$word" in -* | help) continue ;; esac
    case "\${at:+$at }$word" in
      ${places
        .slice(1)
        .map(({ words }) => quote(words))
        .join(' | ')}) at="\${at:+$at }$word" ;;
      *) break ;;
    esac
  done
  case "$at $last" in
${casesOfValues(places, (at, value) => {
  if (value === 'files')
    return `    ${at}) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$current")); return ;;`;
  const words = value === 'anything' ? '' : ` COMPREPLY=($(compgen -W ${quote(value.join(' '))} -- "$current"));`;
  return `    ${at})${words} return ;;`;
}).join('\n')}
  esac
  case "$at" in
${places.map((place) => `    ${quote(place.words)}) word=${quote(wordsOf(place))} ;;`).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$word" -- "$current"))
}
complete -F _kassa kassa`;

const zsh = (places: readonly Place[]): string => `#compdef kassa
# Completion of kassa in zsh: eval "$(kassa completion zsh)", or a file _kassa in a folder of $fpath
_kassa() {
  local at='' word
  local -a next
  for word in "\${(@)words[2,CURRENT-1]}"; do
    [[ "$word" == -* || "$word" == help ]] && continue
    case "\${at:+$at }$word" in
      ${places
        .slice(1)
        .map(({ words }) => quote(words))
        .join(' | ')}) at="\${at:+$at }$word" ;;
      *) break ;;
    esac
  done
  case "$at \${words[CURRENT-1]}" in
${casesOfValues(places, (at, value) => {
  if (value === 'files') return `    ${at}) _files; return ;;`;
  return `    ${at})${value === 'anything' ? '' : ` compadd -- ${value.join(' ')};`} return ;;`;
}).join('\n')}
  esac
  case "$at" in
${places
  .map(({ words, next }) => {
    const described = next.map(({ word, what }) => quote(`${word}:${what}`));
    return `    ${quote(words)}) next=(${described.join(' ')}) ;;`;
  })
  .join('\n')}
  esac
  _describe kassa next
}
if [ "\${funcstack[1]}" = _kassa ]; then _kassa "$@"; else compdef _kassa kassa; fi`;

const fish = (places: readonly Place[]): string => `# Completion of kassa in fish: kassa completion fish | source
function __kassa_at
  set -l at ''
  set -l words (commandline -opc)
  set -e words[1]
  for word in $words
    string match -qr -- '^(-|help$)' $word; and continue
    set -l longer (string trim -- "$at $word")
    contains -- $longer ${places
      .slice(1)
      .map(({ words }) => quoteFish(words))
      .join(' ')}; or break
    set at $longer
  end
  test "$at" = "$argv[1]"
end
complete -c kassa -f
${places
  .flatMap(({ words, next, values }) =>
    next.map(({ word, what }) => {
      const start = `complete -c kassa -n ${quoteFish(`__kassa_at ${quoteFish(words)}`)}`;
      const described = what === '' ? '' : ` -d ${quoteFish(what)}`;
      if (!word.startsWith('--')) return `${start} -a ${word}${described}`;
      const value = values[word];
      const choices = typeof value === 'object' ? ` -a ${quoteFish(value.join(' '))}` : '';
      const takes = value === undefined ? '' : value === 'files' ? ' -r -F' : ` -x${choices}`;
      return `${start} -l ${word.slice(2)}${takes}${described}`;
    }),
  )
  .join('\n')}`;

export function completionFor(shell: Shell, commands: readonly NamedCommand[]): string {
  return { bash, zsh, fish }[shell](placesOf(commands));
}
