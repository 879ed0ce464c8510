import { defineCommand } from '../../declaration/command.ts';
import { day } from '../../output/words.ts';

export const command = defineCommand({
  path: ['environment', 'list'],
  summary: 'List the environments of a project',
  arguments: { project: { description: 'name of the project', completes: 'project' } },
  examples: [{ line: 'davit environment list shop', does: 'List all environments of the project `shop`' }],
  async run({ client, out, args: { project } }) {
    out.list(await (await client()).listEnvironments({ params: { project } }), {
      columns: [
        { header: 'environment', value: ({ slug }) => `${project}/${slug}`, style: () => 'bold' },
        { header: 'created', value: ({ created_at }) => day(created_at) },
      ],
      id: ({ slug }) => `${project}/${slug}`,
      empty: 'The project has no environment.',
    });
  },
});
