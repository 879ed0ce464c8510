import { defineCommand } from '../../declaration/command.ts';
import { CliError } from '../../errors/exit.ts';
import { confirm } from '../../prompts/confirm.ts';

export const command = defineCommand({
  path: ['unrecorded', 'delete'],
  summary: 'Remove a volume or image without a record',
  description: 'Removes it immediately and permanently, with its data. Admins of all projects only.',
  arguments: { name: { description: 'name of the volume at the engine, or tag of the image' } },
  examples: [{ line: 'davit unrecorded delete davit-k3x9w2ab-v12', does: 'asks for its name first' }],
  async run({ client, out, ask, globals, args }) {
    const api = await client();
    const { name } = args;
    if (!(await api.listUnrecorded()).some((one) => one.name === name))
      throw new CliError(
        'not_found',
        `There is no volume or image ${name} without a record: «davit unrecorded list» shows all.`,
      );
    await confirm({ what: 'This removes it permanently', name }, { ask, yes: globals.yes });
    await api.deleteUnrecorded({ query: { name, confirm: name } });
    out.done(undefined, `${name} is removed.`);
  },
});
