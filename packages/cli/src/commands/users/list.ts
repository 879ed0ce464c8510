import { defineCommand } from '../../declaration/command.ts';
import { userList } from '../../views/user.ts';

export const command = defineCommand({
  path: ['user', 'list'],
  summary: 'List the users',
  description: 'Admins only.',
  examples: [{ line: 'davit user list', does: 'with their roles' }],
  async run({ client, out }) {
    out.list(await (await client()).listUsers(), userList);
  },
});
