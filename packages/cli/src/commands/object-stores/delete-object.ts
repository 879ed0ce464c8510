import { defineCommand } from '../../declaration/command.ts';
import { confirm } from '../../prompts/confirm.ts';
import { BUCKET, STORE } from './arguments.ts';

export const command = defineCommand({
  path: ['store', 'delete-object'],
  summary: 'Delete an object',
  arguments: { store: STORE, bucket: BUCKET, key: { description: 'key of the object' } },
  examples: [{ line: 'davit store delete-object s3 uploads ship.jpg', does: 'Delete an object after confirmation' }],
  async run({ client, out, ask, globals, args: { key, ...params } }) {
    await confirm({ what: `This deletes ${key} in the bucket ${params.bucket}`, name: key }, { ask, yes: globals.yes });
    await (await client()).deleteObject({ params, query: { key } });
    out.done(null, `Deleted ${key}.`);
  },
});
