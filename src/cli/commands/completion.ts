// `kassa completion`: prints the completion script for a shell.
import { print } from '../../ops/print.ts';
import { UserError } from '../../ops/user-error.ts';
import type { Command, NamedCommand } from '../terminal/command.ts';
import { completionFor, SHELLS } from '../terminal/completion.ts';

/** `readCommands` loads all commands. */
export const completionOf = (readCommands: () => Promise<readonly NamedCommand[]>): Command => ({
  usage: SHELLS.join('|'),
  more:
    'Run once to install it for all new terminals:\n\n' +
    '  bash   echo \'eval "$(kassa completion bash)"\' >> ~/.bashrc\n' +
    '  zsh    echo \'eval "$(kassa completion zsh)"\' >> ~/.zshrc, after its compinit\n' +
    '  fish   kassa completion fish > ~/.config/fish/completions/kassa.fish',
  positionals: [SHELLS.join('|')],
  run: async ({ positionals: [given] }) => {
    const shell = SHELLS.find((known) => known === given);
    if (shell === undefined) throw new UserError(`Unknown shell ${given}; it must be one of ${SHELLS.join(', ')}.`);
    print(completionFor(shell, await readCommands()));
    return 0;
  },
});
