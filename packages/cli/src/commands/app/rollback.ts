import { APP, appOf } from '../../app-argument.ts';
import { defineCommand } from '../../command.ts';
import { NO_WAIT, startedDeployment } from '../../started-deployment.ts';
import { wholeNumber } from '../../values.ts';

export const command = defineCommand({
  path: ['app', 'rollback'],
  summary: 'Go back to an earlier release',
  description: 'The exact image, settings and variables of a deployment that succeeded; no request is lost.',
  arguments: { app: APP },
  options: {
    to: { value: 'deployment', description: 'its number; absent: the release that was live before this one' },
    noWait: NO_WAIT,
  },
  examples: [
    { line: 'davit app rollback shop/production/web', does: 'to what was live before' },
    { line: 'davit rollback --to 41', does: 'to that deployment of the app of davit.yaml' },
  ],
  async run(context) {
    const { client, args, options } = context;
    const params = await appOf(args.app, context);
    const body = { ...(options.to !== undefined && { deployment: wholeNumber(options.to, 'deployment') }) };
    await startedDeployment(context, await (await client()).rollbackApp({ params, body }), options);
  },
});
