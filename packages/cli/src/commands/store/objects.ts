import { defineCommand } from '../../command.ts';
import { BUCKET, STORE } from '../../store-argument.ts';
import { objectList } from '../../views/store.ts';

export const command = defineCommand({
  path: ['store', 'objects'],
  summary: 'List what is in a bucket',
  arguments: { store: STORE, bucket: BUCKET, prefix: { description: 'a folder, with its final «/»', optional: true } },
  examples: [{ line: 'davit store objects s3 uploads pictures/', does: 'of one folder' }],
  async run({ client, out, args: { prefix, ...params } }) {
    const query = prefix === undefined ? {} : { prefix };
    out.list(await (await client()).listObjects({ params, query }), objectList);
  },
});
