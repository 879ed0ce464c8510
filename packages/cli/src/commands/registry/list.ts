import { bytes } from '@davit/api';
import { defineCommand } from '../../declaration/command.ts';
import { minute } from '../../output/words.ts';

export const command = defineCommand({
  path: ['registry', 'list'],
  summary: 'List the repositories in the registry of the instance',
  description:
    'The list includes repositories of deleted apps. The size of a repository counts each layer once. Repositories can share layers.',
  examples: [{ line: 'davit registry list', does: 'List all repositories with their sizes' }],
  async run({ client, out }) {
    out.list(await (await client()).listRepositories(), {
      columns: [
        { header: 'repository', value: ({ name }) => name, style: () => 'bold' },
        { header: 'releases', value: ({ releases }) => releases, align: 'right' },
        {
          header: 'other tags',
          value: ({ tags, releases }) => (releases === null ? tags : tags - releases),
          align: 'right',
        },
        { header: 'size', value: (one) => (one.bytes === null ? null : bytes(one.bytes)), align: 'right' },
        {
          header: 'app',
          value: ({ app, removed_at }) =>
            app === null ? `deleted, images kept until ${minute(removed_at)}` : 'exists',
        },
      ],
      id: ({ name }) => name,
      empty: 'No repositories found. Push an image first.',
    });
  },
});
