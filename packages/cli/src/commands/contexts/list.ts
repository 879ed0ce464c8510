import { readCredentials } from '../../credentials/store.ts';
import { defineCommand } from '../../declaration/command.ts';

export const command = defineCommand({
  path: ['context', 'list'],
  summary: 'List the instances that you are signed in to (contexts)',
  examples: [{ line: 'davit context list', does: 'List all contexts' }],
  async run({ out, env }) {
    const { current, contexts } = await readCredentials(env.configDir);
    const rows = Object.entries(contexts).map(([name, { url, username }]) => ({
      name,
      url,
      username,
      current: name === current,
    }));
    out.list(rows, {
      columns: [
        { header: 'context', value: ({ name }) => name, style: () => 'bold' },
        { header: 'address', value: ({ url }) => url },
        { header: 'user', value: ({ username }) => username },
        { header: 'current', value: (one) => (one.current ? 'current' : ''), style: () => 'green' },
      ],
      id: ({ name }) => name,
      empty: 'You are not signed in to an instance. Sign in: davit login <url>',
    });
  },
});
