import { APP_FIRST, appOf } from '../../arguments/app.ts';
import { defineCommand } from '../../declaration/command.ts';
import { statusWord } from '../../output/words.ts';

export const command = defineCommand({
  path: ['deployment', 'cancel'],
  summary: 'Cancel a deployment',
  description:
    'You can cancel a deployment until the new release receives requests. If you cancel it, the current release stays live.',
  arguments: { app: APP_FIRST, deployment: { description: 'ID of the deployment (see `davit deployment list`)' } },
  examples: [{ line: 'davit deployment cancel shop/production/web 42', does: 'Cancel deployment 42' }],
  async run(context) {
    const params = { ...(await appOf(context.args.app, context)), deployment: context.args.deployment };
    const deployment = await (await context.client()).cancelDeployment({ params });
    context.out.done(
      deployment,
      `Deployment ${deployment.id} of ${deployment.app} is ${statusWord(deployment.status)}.`,
      deployment.id,
    );
  },
});
