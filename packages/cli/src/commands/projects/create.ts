import { defineCommand } from '../../declaration/command.ts';

export const command = defineCommand({
  path: ['project', 'create'],
  summary: 'Create a project',
  description: 'A project is born with the environment production. It takes the role admin.',
  arguments: { name: { description: 'lower-case letters, digits and hyphens; permanent' } },
  examples: [{ line: 'davit project create shop', does: 'the project shop with shop/production' }],
  async run({ client, out, args }) {
    const project = await (await client()).createProject({ body: { slug: args.name } });
    out.done(project, `Project ${project.slug} is there, with the environment production.`, project.slug);
  },
});
