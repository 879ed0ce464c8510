import { defineCommand } from '../../declaration/command.ts';
import { CliError } from '../../errors/exit.ts';
import { confirm } from '../../prompts/confirm.ts';

export const command = defineCommand({
  path: ['volume', 'delete'],
  summary: 'Delete an unused volume',
  description:
    'Moves a detached volume (a volume that no app uses) to the trash. If the volume is already in the trash, deletes the volume and its data permanently. Required role: admin.',
  arguments: { volume: { description: 'ID of the volume (see `davit volume list`)' } },
  examples: [{ line: 'davit volume delete 3', does: 'Delete a volume after confirmation' }],
  async run({ client, out, ask: prompter, globals, args }) {
    const api = await client();
    const volume = (await api.listVolumes()).find(({ id }) => String(id) === args.volume);
    if (volume === undefined)
      throw new CliError('not_found', `Volume ${args.volume} does not exist. List all volumes: davit volume list`);
    const what =
      volume.state === 'trash'
        ? 'This permanently deletes the data of the volume'
        : 'This moves the volume to the trash';
    await confirm({ what, name: volume.name }, { ask: prompter, yes: globals.yes });
    const answer = await api.deleteVolume({ params: { volume: args.volume }, query: { confirm: volume.name } });
    const became = answer === undefined ? 'is deleted' : 'is in the trash';
    out.done(answer, `Volume ${args.volume} ${became}.`);
  },
});
