import { count } from '@davit/api';
import { defineCommand } from '../../declaration/command.ts';
import { confirm } from '../../prompts/confirm.ts';
import { BUCKET, OBJECT_STORE } from './arguments.ts';

export const command = defineCommand({
  path: ['object-store', 'delete-folder'],
  summary: 'Delete all objects in a folder of a bucket',
  arguments: {
    object_store: OBJECT_STORE,
    bucket: BUCKET,
    folder: { description: 'name of the folder, with a "/" at the end' },
  },
  examples: [
    { line: 'davit object-store delete-folder s3 uploads pictures/', does: 'Delete a folder after confirmation' },
  ],
  async run({ client, out, ask: prompter, globals, signal, args: { folder, ...params } }) {
    const what = `This deletes all objects in ${folder} of the bucket ${params.bucket}`;
    await confirm({ what, name: folder }, { ask: prompter, yes: globals.yes });
    const api = await client();
    const query = { prefix: folder, confirm: folder };
    let removed = 0;
    /*
     * One API request deletes only a limited number of objects. Therefore, the CLI repeats the request until the folder
     * is empty.
     */
    for (let more = true; more; ) {
      const answer = await api.deleteFolder({ params, query, signal });
      removed += answer.removed;
      more = answer.more;
    }
    out.done({ removed, more: false }, `Deleted ${count(removed, 'object')}.`);
  },
});
