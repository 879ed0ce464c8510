import { wholeNumber } from '../../arguments/values.ts';
import { defineCommand } from '../../declaration/command.ts';
import { BUCKET, OBJECT_STORE } from './arguments.ts';

export const command = defineCommand({
  path: ['object-store', 'presign'],
  summary: 'Create a presigned URL for an object',
  description: 'Everyone who has the URL can use the URL until it expires.',
  arguments: { object_store: OBJECT_STORE, bucket: BUCKET, key: { description: 'key of the object' } },
  options: {
    upload: { description: 'create a URL for an upload (default: a URL for a download)' },
    expires: { value: 'seconds', description: 'validity of the URL in seconds (default: 900)' },
  },
  examples: [
    {
      line: 'curl -O "$(davit object-store presign s3 uploads ship.jpg)"',
      does: 'Download an object with a presigned URL',
    },
  ],
  async run({ client, out, args: { key, ...params }, options }) {
    const body = {
      key,
      method: options.upload ? ('PUT' as const) : ('GET' as const),
      ...(options.expires !== undefined && { expires_s: wholeNumber(options.expires, 'number of seconds') }),
    };
    const presigned = await (await client()).presignObject({ params, body });
    if (out.isJson) return out.json(presigned);
    out.line(presigned.url);
  },
});
