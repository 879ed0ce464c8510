import { defineCommand } from '../../declaration/command.ts';
import { minute } from '../../output/words.ts';

export const command = defineCommand({
  path: ['project', 'get'],
  summary: 'Show a project',
  arguments: { project: { description: 'name of the project', completes: 'project' } },
  examples: [{ line: 'davit project get shop', does: 'Show the environments of the project `shop`' }],
  async run({ client, out, args }) {
    const project = await (await client()).getProject({ params: { project: args.project } });
    const { slug, environments, created_at } = project;
    out.record(
      project,
      [
        ['project', slug, 'bold'],
        ['environments', environments],
        ['created', minute(created_at)],
      ],
      slug,
    );
  },
});
