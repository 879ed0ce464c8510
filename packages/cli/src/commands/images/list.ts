import { bytes, type HeldImage } from '@davit/api';
import { defineCommand } from '../../declaration/command.ts';

const NEEDED_FOR: Record<NonNullable<HeldImage['kept_for']>, string> = {
  live: 'live',
  rollback: 'rollback',
  unfinished: 'unfinished',
  unrecorded: 'orphaned',
};

export const command = defineCommand({
  path: ['image', 'list'],
  summary: 'List the images on the server, and why Davit keeps each image',
  examples: [{ line: 'davit image list', does: 'List all images, and why Davit keeps each image' }],
  async run({ client, out }) {
    out.list(await (await client()).listImages(), {
      columns: [
        { header: 'app', value: ({ app }) => app, style: () => 'bold' },
        { header: 'deployment', value: ({ deployment }) => deployment, align: 'right' },
        { header: 'size', value: ({ size_bytes }) => bytes(size_bytes), align: 'right' },
        { header: 'needed for', value: ({ kept_for }) => (kept_for === null ? 'not needed' : NEEDED_FOR[kept_for]) },
        { header: 'tag', value: ({ tag }) => tag },
      ],
      id: ({ tag }) => tag,
      empty: 'No images found. Nothing was deployed yet.',
    });
  },
});
