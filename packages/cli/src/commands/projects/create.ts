import { defineCommand } from '../../declaration/command.ts';

export const command = defineCommand({
  path: ['project', 'create'],
  summary: 'Create a project',
  description: 'A new project has one environment: production. Required role: admin.',
  arguments: {
    name: { description: 'name of the project: lower-case letters, digits and hyphens; cannot be changed later' },
  },
  examples: [
    { line: 'davit project create shop', does: 'Create the project `shop` with the environment `production`' },
  ],
  async run({ client, out, args }) {
    const project = await (await client()).createProject({ body: { slug: args.name } });
    out.done(project, `Created project ${project.slug} with the environment production.`, project.slug);
  },
});
