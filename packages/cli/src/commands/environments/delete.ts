import { ENVIRONMENT, environmentOf } from '../../arguments/environment.ts';
import { defineCommand } from '../../declaration/command.ts';
import { confirm } from '../../prompts/confirm.ts';

export const command = defineCommand({
  path: ['environment', 'delete'],
  summary: 'Delete an environment with its apps',
  description:
    'Stops and removes all apps of the environment. Volumes are kept. The environment `production` can be deleted only with its project.',
  arguments: { environment: ENVIRONMENT },
  examples: [{ line: 'davit environment delete shop/staging', does: 'Delete an environment after confirmation' }],
  async run({ client, out, ask: prompter, globals, args }) {
    const params = environmentOf(args.environment);
    const api = await client();
    await api.getEnvironment({ params });
    const what = `This deletes the environment ${args.environment} with all its apps`;
    await confirm({ what, name: args.environment }, { ask: prompter, yes: globals.yes });
    await api.deleteEnvironment({ params });
    out.done(null, `Deleted environment ${args.environment}.`);
  },
});
