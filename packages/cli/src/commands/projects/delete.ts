import { defineCommand } from '../../declaration/command.ts';
import { count } from '../../output/words.ts';
import { confirm } from '../../prompts/confirm.ts';

export const command = defineCommand({
  path: ['project', 'delete'],
  summary: 'Delete a project with its environments and apps',
  description: 'What runs is stopped and removed. Volumes are kept. It takes the role admin.',
  arguments: { project: { description: 'its name', completes: 'project' } },
  examples: [
    { line: 'davit project delete shop', does: 'asks for the name first' },
    { line: 'davit project delete shop --yes', does: 'in a script' },
  ],
  async run({ client, out, ask, globals, args: { project } }) {
    const api = await client();
    const { environments } = await api.getProject({ params: { project } });
    const what = `This deletes the project ${project} with ${count(environments.length, 'environment')} and all their apps`;
    await confirm({ what, name: project }, { ask, yes: globals.yes });
    await api.deleteProject({ params: { project } });
    out.done(null, `Project ${project} is deleted.`);
  },
});
