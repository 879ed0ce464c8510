import { defineCommand } from '../../declaration/command.ts';
import { userList } from '../../views/user.ts';

export const command = defineCommand({
  path: ['user', 'list'],
  summary: 'List the users',
  description: 'Required role: admin.',
  examples: [{ line: 'davit user list', does: 'List all users with their roles' }],
  async run({ client, out }) {
    out.list(await (await client()).listUsers(), userList);
  },
});
