import { ENVIRONMENT, environmentOf } from '../../arguments/environment.ts';
import { LIMITS, limitsPatch } from '../../arguments/limits.ts';
import { createdIn } from '../../client/in-environment.ts';
import { defineCommand } from '../../declaration/command.ts';
import { NO_WAIT } from '../../progress/started-deployment.ts';
import { startedTask } from '../../progress/started-task.ts';

export const command = defineCommand({
  path: ['object-store', 'create'],
  summary: 'Create a managed object store',
  description: 'Runs SeaweedFS, an object store with the S3 API, for the apps of an environment. Required role: admin.',
  arguments: { environment: ENVIRONMENT, object_store: { description: 'name of the object store' } },
  options: {
    version: { short: 'v', value: 'tag', description: 'tag of the SeaweedFS image (default: the tested version)' },
    description: { value: 'text', description: 'description of the object store' },
    ...LIMITS,
    noWait: NO_WAIT,
  },
  examples: [
    {
      line: 'davit object-store create shop/production files',
      does: 'Create an object store in the environment `shop/production`',
    },
  ],
  async run(context) {
    const { client: connect, args, options } = context;
    const { version, description } = options;
    const params = environmentOf(args.environment);
    const body = {
      name: args.object_store,
      ...(version !== undefined && { version }),
      ...(description !== undefined && { description }),
      ...limitsPatch(options),
    };
    const client = await connect();
    const task = await createdIn(client, params, () => client.createObjectStore({ params, body }));
    await startedTask(context, task, {
      noWait: options.noWait,
      sentence: `Created object store ${args.object_store}.`,
    });
  },
});
