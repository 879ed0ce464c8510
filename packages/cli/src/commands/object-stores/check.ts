import { defineCommand } from '../../declaration/command.ts';
import { CliError } from '../../errors/exit.ts';
import { checkList } from '../../views/object-store.ts';
import { OBJECT_STORE } from './arguments.ts';

export const command = defineCommand({
  path: ['object-store', 'check'],
  summary: 'Test the access keys of an object store',
  arguments: { object_store: OBJECT_STORE },
  options: {
    bucket: {
      short: 'b',
      value: 'bucket',
      description: 'name of a bucket; the check writes, reads, lists and deletes a test object in the bucket',
    },
  },
  examples: [
    {
      line: 'davit object-store check s3 --bucket backups',
      does: 'Check whether Davit can read and write objects in a bucket',
    },
  ],
  async run({ client, out, args, options }) {
    const query = options.bucket === undefined ? {} : { bucket: options.bucket };
    const check = await (await client()).checkObjectStore({ params: { object_store: args.object_store }, query });
    if (out.isJson) out.json(check);
    else out.list(check.steps, checkList);
    if (!check.ok) throw new CliError('failed', `The check of object store ${args.object_store} failed.`);
  },
});
