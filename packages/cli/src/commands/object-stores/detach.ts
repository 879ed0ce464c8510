import { APP_FIRST, appOf } from '../../arguments/app.ts';
import { defineCommand } from '../../declaration/command.ts';
import { ATTACHMENT_CHANGE, changedAttachment } from '../../progress/changed-attachment.ts';
import { changeQuery } from '../../views/deploy-plan.ts';
import { BUCKET, STORE } from './arguments.ts';

export const command = defineCommand({
  path: ['store', 'detach'],
  summary: 'Detach a bucket from an app',
  description: 'The next deployment removes the variables from the app. The objects are kept.',
  arguments: { store: STORE, bucket: BUCKET, app: APP_FIRST },
  options: ATTACHMENT_CHANGE,
  examples: [{ line: 'davit store detach s3 uploads shop/production/web', does: 'Detach a bucket from an app' }],
  async run(context) {
    const { client, args, options } = context;
    const { store, bucket } = args;
    const params = { store, bucket, ...(await appOf(args.app, context)) };
    const query = changeQuery(options);
    const answer = await (await client()).detachBucket({ params, query });
    await changedAttachment(context, answer, { ...options, sentence: `Bucket ${bucket} is detached from ${args.app}` });
  },
});
