import { defineCommand } from '../../declaration/command.ts';
import { CliError } from '../../errors/exit.ts';
import { confirm } from '../../prompts/confirm.ts';

export const command = defineCommand({
  path: ['unrecorded', 'delete'],
  summary: 'Remove an orphaned volume or image',
  description:
    'An orphaned volume or image exists in Docker, but the database of Davit does not list it. The command immediately and permanently deletes the image, or the volume with its data. Required role: admin with access to all projects.',
  arguments: { name: { description: 'name of the volume in Docker, or tag of the image' } },
  examples: [
    { line: 'davit unrecorded delete davit-k3x9w2ab-v12', does: 'Remove an orphaned volume after confirmation' },
  ],
  async run({ client, out, ask: prompter, globals, args }) {
    const api = await client();
    const { name } = args;
    if (!(await api.listUnrecorded()).some((one) => one.name === name))
      throw new CliError('not_found', `There is no orphaned volume or image ${name}. List all: davit unrecorded list`);
    await confirm({ what: `This permanently removes ${name}`, name }, { ask: prompter, yes: globals.yes });
    await api.deleteUnrecorded({ query: { name, confirm: name } });
    out.done(undefined, `Removed ${name}.`);
  },
});
