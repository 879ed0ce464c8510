import { defineCommand } from '../../declaration/command.ts';
import { confirm } from '../../prompts/confirm.ts';

export const command = defineCommand({
  path: ['user', 'revoke-key'],
  summary: 'Revoke an API key of a user',
  arguments: {
    username: { description: 'name of the user' },
    key: { description: 'ID of the API key (see `davit user keys`)' },
  },
  examples: [{ line: 'davit user revoke-key grace 4', does: 'Revoke an API key after confirmation' }],
  async run({ client, out, ask: prompter, globals, args: { username, key } }) {
    await confirm(
      { what: `This revokes API key ${key} of ${username}`, name: key },
      { ask: prompter, yes: globals.yes },
    );
    await (await client()).revokeUserKey({ params: { user: username, key } });
    out.done(null, `Revoked API key ${key} of ${username}.`);
  },
});
