import { defineCommand } from '../../declaration/command.ts';
import { CliError } from '../../errors/exit.ts';
import { confirm } from '../../prompts/confirm.ts';

export const command = defineCommand({
  path: ['volume', 'delete'],
  summary: 'Delete an unused volume',
  description: 'A kept one goes to the trash. One in the trash is removed for ever, with its data. Admins only.',
  arguments: { volume: { description: 'its number' } },
  examples: [{ line: 'davit volume delete 3', does: 'asks for its name first' }],
  async run({ client, out, ask, globals, args }) {
    const api = await client();
    const volume = (await api.listVolumes()).find(({ id }) => String(id) === args.volume);
    if (volume === undefined)
      throw new CliError('not_found', `There is no volume ${args.volume}: «davit volume list» shows all.`);
    const what = volume.state === 'trash' ? 'This removes its data for ever' : 'This moves the volume to the trash';
    await confirm({ what, name: volume.name }, { ask, yes: globals.yes });
    const answer = await api.deleteVolume({ params: { volume: args.volume }, query: { confirm: volume.name } });
    const became = answer === undefined ? 'is gone' : 'is in the trash';
    out.done(answer, `Volume ${args.volume} ${became}.`);
  },
});
