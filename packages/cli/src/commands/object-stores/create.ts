import { ENVIRONMENT, environmentOf } from '../../arguments/environment.ts';
import { LIMITS, limitsPatch } from '../../arguments/limits.ts';
import { defineCommand } from '../../declaration/command.ts';
import { NO_WAIT } from '../../progress/started-deployment.ts';
import { startedTask } from '../../progress/started-task.ts';

export const command = defineCommand({
  path: ['store', 'create'],
  summary: 'Create a managed object store',
  description: 'SeaweedFS, in an environment and for its apps. Admins only.',
  arguments: { environment: ENVIRONMENT, store: { description: 'what it is to be called' } },
  options: {
    version: { short: 'v', value: 'tag', description: 'of its image; absent: the one that is known to work' },
    description: { value: 'text', description: 'for people' },
    ...LIMITS,
    noWait: NO_WAIT,
  },
  examples: [{ line: 'davit store create shop/production files', does: 'with a volume of its own' }],
  async run(context) {
    const { client, args, options } = context;
    const { version, description } = options;
    const task = await (await client()).createStore({
      params: environmentOf(args.environment),
      body: {
        name: args.store,
        ...(version !== undefined && { version }),
        ...(description !== undefined && { description }),
        ...limitsPatch(options),
      },
    });
    await startedTask(context, task, { noWait: options.noWait, sentence: `Store ${args.store} runs.` });
  },
});
