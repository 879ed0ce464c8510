import { APP_FIRST, appOf } from '../../arguments/app.ts';
import { defineCommand } from '../../declaration/command.ts';
import { ATTACHMENT_CHANGE, changedAttachment } from '../../progress/changed-attachment.ts';
import { changeQuery } from '../../views/deploy-plan.ts';
import { BUCKET, OBJECT_STORE } from './arguments.ts';

export const command = defineCommand({
  path: ['object-store', 'attach'],
  summary: 'Attach a bucket to an app',
  description:
    'The app gets the address and the access keys of the object store as variables, such as S3_ENDPOINT. The change takes effect with the next deployment, or immediately with --deploy.',
  arguments: { object_store: OBJECT_STORE, bucket: BUCKET, app: APP_FIRST },
  options: {
    prefix: { value: 'prefix', description: 'prefix for the names of the variables that the app gets, such as MEDIA_' },
    ...ATTACHMENT_CHANGE,
  },
  examples: [
    {
      line: 'davit object-store attach s3 uploads shop/production/web --deploy',
      does: 'Attach a bucket and deploy the app',
    },
  ],
  async run(context) {
    const { client, args, options } = context;
    const { object_store, bucket } = args;
    const params = { object_store, bucket, ...(await appOf(args.app, context)) };
    const query = changeQuery(options);
    const body = { ...(options.prefix !== undefined && { prefix: options.prefix }) };
    const answer = await (await client()).attachBucket({ params, query, body });
    await changedAttachment(context, answer, { ...options, sentence: `Bucket ${bucket} is attached to ${args.app}` });
  },
});
