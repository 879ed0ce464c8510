import { defineCommand } from '../../declaration/command.ts';

export const command = defineCommand({
  path: ['unrecorded', 'adopt'],
  summary: 'Adopt a volume without a record',
  description: 'The volume becomes a kept volume of the project, with its data. Admins of all projects only.',
  arguments: {
    name: { description: 'name of the volume at the engine' },
    project: { description: 'project that gets the volume' },
  },
  examples: [{ line: 'davit unrecorded adopt davit-k3x9w2ab-v12 shop', does: 'makes it a kept volume of shop' }],
  async run({ client, out, args }) {
    const volume = await (await client()).adoptUnrecorded({ body: { name: args.name, project: args.project } });
    const next = `davit volume add <app> <path> --adopt ${volume.name}`;
    out.done(volume, `Volume ${volume.id} is a kept volume now: «${next}» adds it to an app.`, volume.id);
  },
});
