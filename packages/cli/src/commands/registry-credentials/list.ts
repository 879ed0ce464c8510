import { defineCommand } from '../../declaration/command.ts';
import { minute } from '../../output/words.ts';

export const command = defineCommand({
  path: ['credential', 'list'],
  summary: 'List the registries with stored credentials',
  description: 'Those of others, from which images are pulled. Admins only.',
  examples: [{ line: 'davit credential list', does: 'without passwords' }],
  async run({ client, out }) {
    out.list(await (await client()).listRegistries(), {
      columns: [
        { header: 'number', value: ({ id }) => id, align: 'right', style: () => 'bold' },
        { header: 'registry', value: ({ host }) => host },
        { header: 'account', value: ({ username }) => username },
        { header: 'projects', value: ({ projects }) => projects?.join(', ') ?? 'all' },
        { header: 'taken at', value: ({ checked_at }) => minute(checked_at) },
      ],
      id: ({ id }) => id,
      empty: 'No credentials are stored: «davit credential add ghcr.io ada» stores some.',
    });
  },
});
