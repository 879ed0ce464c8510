import type { ObjectEntry } from '@davit/api';
import { defineCommand } from '../../declaration/command.ts';
import { objectList } from '../../views/object-store.ts';
import { BUCKET, OBJECT_STORE } from './arguments.ts';
import { onePage } from './page.ts';

export const command = defineCommand({
  path: ['object-store', 'objects'],
  summary: 'List the objects in a bucket',
  arguments: {
    object_store: OBJECT_STORE,
    bucket: BUCKET,
    prefix: { description: 'name of a folder, with a "/" at the end (default: the whole bucket)', optional: true },
  },
  options: {
    flat: { description: 'list the keys of all objects, including objects in folders' },
    all: { description: 'list all objects (default: the first 1000)' },
  },
  examples: [{ line: 'davit object-store objects s3 uploads pictures/', does: 'List the objects in a folder' }],
  async run({ client, out, args: { prefix, ...params }, options }) {
    const query = {
      limit: '1000',
      ...(prefix !== undefined && { prefix }),
      ...(options.flat && { flat: 'true' as const }),
    };
    const api = await client();
    const found: ObjectEntry[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { rows, next } = await onePage((onHeaders) =>
        api.listObjects({ params, query: { ...query, ...(cursor && { cursor }) }, onHeaders }),
      );
      found.push(...rows);
      cursor = options.all ? next : null;
      if (next !== null && !options.all) out.note('There are more objects. Show them with --all', 'dim');
    }
    out.list(found, objectList);
  },
});
