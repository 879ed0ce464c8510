import { defineCommand } from '../../declaration/command.ts';
import { bucketList } from '../../views/object-store.ts';
import { OBJECT_STORE } from './arguments.ts';

export const command = defineCommand({
  path: ['object-store', 'buckets'],
  summary: 'List the buckets of an object store',
  arguments: { object_store: OBJECT_STORE },
  examples: [{ line: 'davit object-store buckets s3', does: 'List the buckets that the access keys can access' }],
  async run({ client, out, args }) {
    out.list(await (await client()).listBuckets({ params: { object_store: args.object_store } }), bucketList);
  },
});
