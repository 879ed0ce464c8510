import { defineCommand } from '../../declaration/command.ts';
import { BUCKET, OBJECT_STORE } from './arguments.ts';

export const command = defineCommand({
  path: ['object-store', 'create-bucket'],
  summary: 'Create a bucket in an object store',
  arguments: { object_store: OBJECT_STORE, bucket: BUCKET },
  examples: [{ line: 'davit object-store create-bucket s3 uploads', does: 'Create the bucket `uploads`' }],
  async run({ client, out, args }) {
    const bucket = await (await client()).createBucket({
      params: { object_store: args.object_store },
      body: { name: args.bucket },
    });
    out.done(bucket, `Created bucket ${bucket.name} in object store ${args.object_store}.`, bucket.name);
  },
});
