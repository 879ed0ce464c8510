import { defineCommand } from '../../declaration/command.ts';
import { bytes } from '../../output/words.ts';

export const command = defineCommand({
  path: ['image', 'list'],
  summary: 'List the images that are kept for releases',
  examples: [{ line: 'davit image list', does: 'List all images and why they are kept' }],
  async run({ client, out }) {
    out.list(await (await client()).listImages(), {
      columns: [
        { header: 'app', value: ({ app }) => app, style: () => 'bold' },
        { header: 'deployment', value: ({ deployment }) => deployment, align: 'right' },
        { header: 'size', value: ({ size_bytes }) => bytes(size_bytes), align: 'right' },
        { header: 'kept for', value: ({ kept_for }) => kept_for ?? 'not needed' },
        { header: 'tag', value: ({ tag }) => tag },
      ],
      id: ({ tag }) => tag,
      empty: 'No images found. Nothing was deployed yet.',
    });
  },
});
