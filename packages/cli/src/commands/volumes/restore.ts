import { defineCommand } from '../../declaration/command.ts';

export const command = defineCommand({
  path: ['volume', 'restore'],
  summary: 'Restore a volume from the trash',
  description: 'It is its app’s again, from the next deploy on, where that is still possible. Admins only.',
  arguments: { volume: { description: 'its number' } },
  examples: [{ line: 'davit volume restore 3', does: 'out of the trash' }],
  async run({ client, out, args }) {
    const volume = await (await client()).restoreVolume({ params: { volume: args.volume } });
    out.done(volume, `Volume ${volume.id} is back; it is ${volume.state}.`, volume.id);
  },
});
