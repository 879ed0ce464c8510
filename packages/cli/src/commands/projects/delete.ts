import { defineCommand } from '../../declaration/command.ts';
import { count } from '../../output/words.ts';
import { confirm } from '../../prompts/confirm.ts';

export const command = defineCommand({
  path: ['project', 'delete'],
  summary: 'Delete a project with its environments and apps',
  description: 'Stops and removes all apps of the project. Volumes are kept. Required role: admin.',
  arguments: { project: { description: 'name of the project', completes: 'project' } },
  examples: [
    { line: 'davit project delete shop', does: 'Delete a project after confirmation' },
    { line: 'davit project delete shop --yes', does: 'Delete a project without confirmation' },
  ],
  async run({ client, out, ask: prompter, globals, args: { project } }) {
    const api = await client();
    const { environments } = await api.getProject({ params: { project } });
    const what = `This deletes the project ${project} with ${count(environments.length, 'environment')} and all their apps`;
    await confirm({ what, name: project }, { ask: prompter, yes: globals.yes });
    await api.deleteProject({ params: { project } });
    out.done(null, `Deleted project ${project}.`);
  },
});
