import { ENVIRONMENT, environmentOf } from '../../arguments/environment.ts';
import { defineCommand } from '../../declaration/command.ts';
import { confirm } from '../../prompts/confirm.ts';

export const command = defineCommand({
  path: ['environment', 'delete'],
  summary: 'Delete an environment with its apps',
  description: 'What runs is stopped and removed. Volumes are kept. production goes with its project only.',
  arguments: { environment: ENVIRONMENT },
  examples: [{ line: 'davit environment delete shop/staging', does: 'asks for the name first' }],
  async run({ client, out, ask, globals, args }) {
    const params = environmentOf(args.environment);
    const api = await client();
    await api.getEnvironment({ params });
    const what = `This deletes the environment ${args.environment} with all its apps`;
    await confirm({ what, name: args.environment }, { ask, yes: globals.yes });
    await api.deleteEnvironment({ params });
    out.done(null, `Environment ${args.environment} is deleted.`);
  },
});
