import { defineCommand } from '../../declaration/command.ts';
import { bytes, minute } from '../../output/words.ts';

export const command = defineCommand({
  path: ['registry', 'list'],
  summary: 'List the repositories in the registry of the instance',
  description: 'Those of apps, and those whose app was deleted.',
  examples: [{ line: 'davit registry list', does: 'with what they take' }],
  async run({ client, out }) {
    out.list(await (await client()).listRepositories(), {
      columns: [
        { header: 'repository', value: ({ name }) => name, style: () => 'bold' },
        { header: 'releases', value: ({ tags }) => tags, align: 'right' },
        { header: 'size', value: (one) => (one.bytes === null ? null : bytes(one.bytes)), align: 'right' },
        {
          header: 'app',
          value: ({ app, removed_at }) => (app === null ? `deleted, kept until ${minute(removed_at)}` : 'is there'),
        },
      ],
      id: ({ name }) => name,
      empty: 'Nothing was pushed yet.',
    });
  },
});
