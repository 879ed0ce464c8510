import { defineCommand } from '../../declaration/command.ts';
import { confirm } from '../../prompts/confirm.ts';
import { BUCKET, OBJECT_STORE } from './arguments.ts';

export const command = defineCommand({
  path: ['object-store', 'delete-object'],
  summary: 'Delete an object',
  arguments: { object_store: OBJECT_STORE, bucket: BUCKET, key: { description: 'key of the object' } },
  examples: [
    { line: 'davit object-store delete-object s3 uploads ship.jpg', does: 'Delete an object after confirmation' },
  ],
  async run({ client, out, ask: prompter, globals, args: { key, ...params } }) {
    await confirm(
      { what: `This deletes ${key} in the bucket ${params.bucket}`, name: key },
      { ask: prompter, yes: globals.yes },
    );
    await (await client()).deleteObject({ params, query: { key } });
    out.done(null, `Deleted ${key}.`);
  },
});
