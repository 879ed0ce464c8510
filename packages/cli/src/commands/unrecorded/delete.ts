import { defineCommand } from '../../declaration/command.ts';
import { CliError } from '../../errors/exit.ts';
import { confirm } from '../../prompts/confirm.ts';

export const command = defineCommand({
  path: ['unrecorded', 'delete'],
  summary: 'Remove a volume or image without a record',
  description:
    'Removes it immediately and permanently, with its data. Required role: admin with rights for all projects.',
  arguments: { name: { description: 'name of the volume in the container engine, or tag of the image' } },
  examples: [{ line: 'davit unrecorded delete davit-k3x9w2ab-v12', does: 'Remove a volume after confirmation' }],
  async run({ client, out, ask, globals, args }) {
    const api = await client();
    const { name } = args;
    if (!(await api.listUnrecorded()).some((one) => one.name === name))
      throw new CliError(
        'not_found',
        `No volume or image ${name} without a record exists. List all: davit unrecorded list`,
      );
    await confirm({ what: `This permanently removes ${name}`, name }, { ask, yes: globals.yes });
    await api.deleteUnrecorded({ query: { name, confirm: name } });
    out.done(undefined, `Removed ${name}.`);
  },
});
