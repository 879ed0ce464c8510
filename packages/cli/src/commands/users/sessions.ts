import { defineCommand } from '../../declaration/command.ts';
import { sessionList } from '../../views/user.ts';

export const command = defineCommand({
  path: ['user', 'sessions'],
  summary: 'List the sessions of a user',
  arguments: { username: { description: 'name of the user' } },
  examples: [{ line: 'davit user sessions grace', does: 'List the sessions of the user `grace`' }],
  async run({ client, out, args }) {
    out.list(await (await client()).listUserSessions({ params: { user: args.username } }), sessionList);
  },
});
