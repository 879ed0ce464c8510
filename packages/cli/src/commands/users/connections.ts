import { defineCommand } from '../../declaration/command.ts';
import { connectionList } from '../../views/user.ts';

export const command = defineCommand({
  path: ['user', 'connections'],
  summary: 'List the connected clients of a user',
  arguments: { username: { description: 'name of the user' } },
  examples: [{ line: 'davit user connections grace', does: 'List the connected clients of grace' }],
  async run({ client, out, args }) {
    out.list(await (await client()).listUserConnections({ params: { user: args.username } }), connectionList);
  },
});
