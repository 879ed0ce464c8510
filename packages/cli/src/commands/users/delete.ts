import { defineCommand } from '../../declaration/command.ts';
import { confirm } from '../../prompts/confirm.ts';

export const command = defineCommand({
  path: ['user', 'delete'],
  summary: 'Delete a user, with all sessions, API keys and connected OAuth clients',
  arguments: { username: { description: 'name of the user' } },
  examples: [{ line: 'davit user delete grace', does: 'Delete the user `grace` after confirmation' }],
  async run({ client, out, ask: prompter, globals, args: { username } }) {
    const api = await client();
    await api.getUser({ params: { user: username } });
    await confirm(
      { what: `This deletes the user ${username} with all API keys`, name: username },
      { ask: prompter, yes: globals.yes },
    );
    await api.deleteUser({ params: { user: username } });
    out.done(null, `Deleted user ${username}.`);
  },
});
