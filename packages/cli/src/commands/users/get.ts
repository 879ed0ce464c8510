import { defineCommand } from '../../declaration/command.ts';
import { userFields } from '../../views/user.ts';

export const command = defineCommand({
  path: ['user', 'get'],
  summary: 'Show a user',
  arguments: { username: { description: 'name of the user' } },
  examples: [{ line: 'davit user get grace', does: 'Show the role and the projects of the user `grace`' }],
  async run({ client, out, args }) {
    const user = await (await client()).getUser({ params: { user: args.username } });
    out.record(user, userFields(user), user.username);
  },
});
