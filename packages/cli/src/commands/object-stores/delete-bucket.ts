import { defineCommand } from '../../declaration/command.ts';
import { confirm } from '../../prompts/confirm.ts';
import { BUCKET, OBJECT_STORE } from './arguments.ts';

export const command = defineCommand({
  path: ['object-store', 'delete-bucket'],
  summary: 'Delete an empty bucket',
  description: 'The bucket must be empty, and no app, backup or schedule may use the bucket. Required role: admin.',
  arguments: { object_store: OBJECT_STORE, bucket: BUCKET },
  examples: [{ line: 'davit object-store delete-bucket s3 uploads', does: 'Delete a bucket after confirmation' }],
  async run({ client, out, ask: prompter, globals, args }) {
    const api = await client();
    const { name } = await api.getBucket({ params: args });
    await confirm(
      { what: `This deletes the bucket ${name} in ${args.object_store}`, name },
      { ask: prompter, yes: globals.yes },
    );
    await api.deleteBucket({ params: args, query: { confirm: name } });
    out.done(null, `Deleted bucket ${name}.`);
  },
});
