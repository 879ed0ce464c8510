import { defineCommand } from '../../declaration/command.ts';
import { BUCKET, STORE } from './arguments.ts';

export const command = defineCommand({
  path: ['store', 'create-bucket'],
  summary: 'Create a bucket in an object store',
  arguments: { store: STORE, bucket: BUCKET },
  examples: [{ line: 'davit store create-bucket s3 uploads', does: 'Create the bucket uploads' }],
  async run({ client, out, args }) {
    const bucket = await (await client()).createBucket({ params: { store: args.store }, body: { name: args.bucket } });
    out.done(bucket, `Created bucket ${bucket.name} in object store ${args.store}.`, bucket.name);
  },
});
