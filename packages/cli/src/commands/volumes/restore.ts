import { defineCommand } from '../../declaration/command.ts';

export const command = defineCommand({
  path: ['volume', 'restore'],
  summary: 'Restore a volume from the trash',
  description:
    'If the app still exists, the volume is added to the app again with the next deployment. Otherwise it becomes a kept volume. Required role: admin.',
  arguments: { volume: { description: 'number of the volume, as in `davit volume list`' } },
  examples: [{ line: 'davit volume restore 3', does: 'Restore volume 3' }],
  async run({ client, out, args }) {
    const volume = await (await client()).restoreVolume({ params: { volume: args.volume } });
    out.done(volume, `Restored volume ${volume.id} (${volume.state}).`, volume.id);
  },
});
