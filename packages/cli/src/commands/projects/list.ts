import { defineCommand } from '../../declaration/command.ts';
import { day } from '../../output/words.ts';

export const command = defineCommand({
  path: ['project', 'list'],
  summary: 'List the projects',
  examples: [{ line: 'davit project list', does: 'List all projects with their environments' }],
  async run({ client, out }) {
    out.list(await (await client()).listProjects(), {
      columns: [
        { header: 'project', value: ({ slug }) => slug, style: () => 'bold' },
        { header: 'environments', value: ({ environments }) => environments.join(', ') },
        { header: 'created', value: ({ created_at }) => day(created_at) },
      ],
      id: ({ slug }) => slug,
      isCompleted: true,
      empty: 'No projects found. Create a project: davit project create <name>',
    });
  },
});
