import { defineCommand } from '../../declaration/command.ts';

export const command = defineCommand({
  path: ['unrecorded', 'adopt'],
  summary: 'Assign an orphaned volume to a project',
  description:
    'An orphaned volume exists in Docker, but the database of Davit does not list it. After this command, an app of the project can attach the volume and use its data. Required role: admin with access to all projects.',
  arguments: {
    name: { description: 'name of the volume in Docker' },
    project: { description: 'name of the project that gets the volume' },
  },
  examples: [
    { line: 'davit unrecorded adopt davit-k3x9w2ab-v12 shop', does: 'Assign an orphaned volume to the project `shop`' },
  ],
  async run({ client, out, args }) {
    const volume = await (await client()).adoptUnrecorded({ body: { name: args.name, project: args.project } });
    const next = `davit volume add <app> <path> --adopt ${volume.name}`;
    out.done(volume, `Assigned volume ${volume.id}. Add the volume to an app: ${next}`, volume.id);
  },
});
