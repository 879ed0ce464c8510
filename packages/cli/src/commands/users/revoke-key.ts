import { defineCommand } from '../../declaration/command.ts';
import { confirm } from '../../prompts/confirm.ts';

export const command = defineCommand({
  path: ['user', 'revoke-key'],
  summary: 'Revoke an API key of a user',
  arguments: { username: { description: 'whose key' }, key: { description: 'its number' } },
  examples: [{ line: 'davit user revoke-key grace 4', does: 'asks for its number first' }],
  async run({ client, out, ask, globals, args: { username, key } }) {
    await confirm(
      { what: `Key ${key} of ${username} will be refused from now on`, name: key },
      { ask, yes: globals.yes },
    );
    await (await client()).revokeUserKey({ params: { user: username, key } });
    out.done(null, `Key ${key} of ${username} is revoked.`);
  },
});
