import { APP_FIRST, appOf } from '../../arguments/app.ts';
import { defineCommand } from '../../declaration/command.ts';
import { ATTACHMENT_CHANGE, changedAttachment } from '../../progress/changed-attachment.ts';
import { changeQuery } from '../../views/deploy-plan.ts';
import { BUCKET, OBJECT_STORE } from './arguments.ts';

export const command = defineCommand({
  path: ['object-store', 'detach'],
  summary: 'Detach a bucket from an app',
  description: 'The next deployment removes the variables of the bucket from the app. The bucket keeps its objects.',
  arguments: { object_store: OBJECT_STORE, bucket: BUCKET, app: APP_FIRST },
  options: ATTACHMENT_CHANGE,
  examples: [{ line: 'davit object-store detach s3 uploads shop/production/web', does: 'Detach a bucket from an app' }],
  async run(context) {
    const { client, args, options } = context;
    const { object_store, bucket } = args;
    const params = { object_store, bucket, ...(await appOf(args.app, context)) };
    const query = changeQuery(options);
    const answer = await (await client()).detachBucket({ params, query });
    await changedAttachment(context, answer, { ...options, sentence: `Bucket ${bucket} is detached from ${args.app}` });
  },
});
