import { defineCommand } from '../../declaration/command.ts';
import { bucketList } from '../../views/object-store.ts';
import { STORE } from './arguments.ts';

export const command = defineCommand({
  path: ['store', 'buckets'],
  summary: 'List the buckets of an object store',
  arguments: { store: STORE },
  examples: [{ line: 'davit store buckets s3', does: 'List the buckets that the keys can access' }],
  async run({ client, out, args }) {
    out.list(await (await client()).listBuckets({ params: { store: args.store } }), bucketList);
  },
});
