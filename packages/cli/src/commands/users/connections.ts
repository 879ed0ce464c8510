import { defineCommand } from '../../declaration/command.ts';
import { connectionList } from '../../views/user.ts';

export const command = defineCommand({
  path: ['user', 'connections'],
  summary: 'List the clients that can act on behalf of a user, such as AI assistants',
  arguments: { username: { description: 'name of the user' } },
  examples: [
    { line: 'davit user connections grace', does: 'List the OAuth clients that may act for the user `grace`' },
  ],
  async run({ client, out, args }) {
    out.list(await (await client()).listUserConnections({ params: { user: args.username } }), connectionList);
  },
});
