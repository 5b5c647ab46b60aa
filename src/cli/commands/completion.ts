// `kassa completion`: the script by which a shell completes commands and options.
import { print } from '../../ops/print.ts';
import { UserError } from '../../ops/user-error.ts';
import type { Command, NamedCommand } from '../terminal/command.ts';
import { completionFor, SHELLS } from '../terminal/completion.ts';

/** `readCommands`: all that there are, loaded. */
export const completionOf = (readCommands: () => Promise<readonly NamedCommand[]>): Command => ({
  usage: SHELLS.join('|'),
  more:
    'Once, for this and every later terminal:\n\n' +
    '  bash   echo \'eval "$(kassa completion bash)"\' >> ~/.bashrc\n' +
    '  zsh    echo \'eval "$(kassa completion zsh)"\' >> ~/.zshrc, after its compinit\n' +
    '  fish   kassa completion fish > ~/.config/fish/completions/kassa.fish',
  positionals: [SHELLS.join('|')],
  run: async ({ positionals: [given] }) => {
    const shell = SHELLS.find((known) => known === given);
    if (shell === undefined)
      throw new UserError(`There is no completion for ${given}; there is for ${SHELLS.join(', ')}.`);
    print(completionFor(shell, await readCommands()));
    return 0;
  },
});
