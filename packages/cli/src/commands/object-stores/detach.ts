import { APP_FIRST, appOf } from '../../arguments/app.ts';
import { defineCommand } from '../../declaration/command.ts';
import { ATTACHMENT_CHANGE, changedAttachment } from '../../progress/changed-attachment.ts';
import { changeQuery } from '../../views/deploy-plan.ts';
import { BUCKET, STORE } from './arguments.ts';

export const command = defineCommand({
  path: ['store', 'detach'],
  summary: 'Detach a bucket from an app',
  description: 'Its variables are gone with the next deploy. The objects stay.',
  arguments: { store: STORE, bucket: BUCKET, app: APP_FIRST },
  options: ATTACHMENT_CHANGE,
  examples: [{ line: 'davit store detach s3 uploads shop/production/web', does: 'from the next deploy on' }],
  async run(context) {
    const { client, args, options } = context;
    const { store, bucket } = args;
    const params = { store, bucket, ...(await appOf(args.app, context)) };
    const query = changeQuery(options);
    const answer = await (await client()).detachBucket({ params, query });
    await changedAttachment(context, answer, { ...options, sentence: `${args.app} has the bucket ${bucket} no more` });
  },
});
