import { defineCommand } from '../../command.ts';
import { sessionList } from '../../views/account.ts';

export const command = defineCommand({
  path: ['user', 'sessions'],
  summary: 'List where a user is signed in',
  arguments: { username: { description: 'his name' } },
  examples: [{ line: 'davit user sessions grace', does: 'his browsers' }],
  async run({ client, out, args }) {
    out.list(await (await client()).listUserSessions({ params: { user: args.username } }), sessionList);
  },
});
