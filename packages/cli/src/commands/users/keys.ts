import { defineCommand } from '../../declaration/command.ts';
import { keyList } from '../../views/user.ts';

export const command = defineCommand({
  path: ['user', 'keys'],
  summary: 'List the API keys of a user',
  arguments: { username: { description: 'name of the user' } },
  examples: [{ line: 'davit user keys grace', does: 'List the API keys of the user `grace`' }],
  async run({ client, out, args }) {
    out.list(await (await client()).listUserKeys({ params: { user: args.username } }), keyList);
  },
});
