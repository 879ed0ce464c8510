import { bytes } from '@davit/api';
import { defineCommand } from '../../declaration/command.ts';
import { minute } from '../../output/words.ts';

export const command = defineCommand({
  path: ['unrecorded', 'list'],
  summary: 'List orphaned volumes and images',
  description:
    'Orphaned volumes and images are in Docker, but not in the database of Davit. This happens if you restore an older copy of the data directory. Required role: admin with access to all projects.',
  examples: [{ line: 'davit unrecorded list', does: 'List all orphaned volumes and images' }],
  async run({ client, out }) {
    out.list(await (await client()).listUnrecorded(), {
      columns: [
        { header: 'name', value: ({ name }) => name, style: () => 'bold' },
        { header: 'kind', value: ({ kind }) => kind.replace('_', ' ') },
        { header: 'created for', value: ({ made_for }) => made_for },
        { header: 'created', value: ({ created_at }) => (created_at === null ? null : minute(created_at)) },
        {
          header: 'size',
          value: ({ size_bytes }) => (size_bytes === null ? null : bytes(size_bytes)),
          align: 'right',
        },
        { header: 'removed', value: ({ removed_at }) => (removed_at === null ? null : minute(removed_at)) },
      ],
      id: ({ name }) => name,
      empty: 'No orphaned volumes or images found.',
    });
  },
});
