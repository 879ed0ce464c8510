import { defineCommand } from '../../declaration/command.ts';

export const command = defineCommand({
  path: ['unrecorded', 'adopt'],
  summary: 'Adopt a volume without a record',
  description:
    'The volume becomes a kept volume of the project, with its data. Required role: admin with rights for all projects.',
  arguments: {
    name: { description: 'name of the volume in the container engine' },
    project: { description: 'name of the project that gets the volume' },
  },
  examples: [{ line: 'davit unrecorded adopt davit-k3x9w2ab-v12 shop', does: 'Adopt a volume for the project shop' }],
  async run({ client, out, args }) {
    const volume = await (await client()).adoptUnrecorded({ body: { name: args.name, project: args.project } });
    const next = `davit volume add <app> <path> --adopt ${volume.name}`;
    out.done(volume, `Adopted volume ${volume.id}. Add the volume to an app: ${next}`, volume.id);
  },
});
