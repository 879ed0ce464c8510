import { defineCommand } from '../../declaration/command.ts';
import { minute } from '../../output/words.ts';

export const command = defineCommand({
  path: ['credential', 'list'],
  summary: 'List the registries with stored credentials',
  description:
    'Shows the external registries from which Davit pulls images with stored credentials. Required role: admin.',
  examples: [{ line: 'davit credential list', does: 'List all registry credentials' }],
  async run({ client, out }) {
    out.list(await (await client()).listRegistries(), {
      columns: [
        { header: 'ID', value: ({ id }) => id, align: 'right', style: () => 'bold' },
        { header: 'registry', value: ({ host }) => host },
        { header: 'user', value: ({ username }) => username },
        { header: 'projects', value: ({ projects }) => projects?.join(', ') ?? 'all' },
        { header: 'last check', value: ({ checked_at }) => minute(checked_at) },
      ],
      id: ({ id }) => id,
      empty: 'No registry credentials found. Store credentials: davit credential add <host> <username>',
    });
  },
});
