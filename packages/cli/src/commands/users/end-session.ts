import { defineCommand } from '../../declaration/command.ts';
import { confirm } from '../../prompts/confirm.ts';

export const command = defineCommand({
  path: ['user', 'end-session'],
  summary: 'End a session of a user',
  arguments: {
    username: { description: 'name of the user' },
    session: { description: 'ID of the session (see `davit user sessions`)' },
  },
  examples: [{ line: 'davit user end-session grace 7', does: 'End a session after confirmation' }],
  async run({ client, out, ask: prompter, globals, args: { username, session } }) {
    await confirm(
      { what: `This ends session ${session} of ${username}`, name: session },
      { ask: prompter, yes: globals.yes },
    );
    await (await client()).endUserSession({ params: { user: username, session } });
    out.done(null, `Ended session ${session} of ${username}.`);
  },
});
