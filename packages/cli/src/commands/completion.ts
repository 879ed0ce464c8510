import { defineCommand } from '../declaration/command.ts';
import { CliError } from '../errors/exit.ts';

export const command = defineCommand({
  path: ['completion'],
  summary: 'Print a completion script for a shell',
  arguments: { shell: { description: 'name of the shell: bash, zsh or fish' } },
  examples: [
    {
      line: 'davit completion bash > /etc/bash_completion.d/davit',
      does: 'Install Bash completion for all users of this computer',
    },
    {
      line: 'davit completion zsh > ~/.zfunc/_davit',
      does: 'Install Zsh completion, if `~/.zfunc` is in `fpath`',
    },
    { line: 'davit completion fish > ~/.config/fish/completions/davit.fish', does: 'Install fish completion' },
  ],
  async run({ commands, out, args: { shell } }) {
    const { SCRIPTS } = await import('../completion/scripts.ts');
    const make = SCRIPTS[shell];
    if (make === undefined) throw new CliError('usage', `Unknown shell "${shell}": write bash, zsh or fish.`);
    const script = make(await commands());
    if (out.isJson) out.json({ shell, script });
    else out.text(script);
  },
});
