import { defineCommand } from '../../declaration/command.ts';
import { confirm } from '../../prompts/confirm.ts';

export const command = defineCommand({
  path: ['user', 'end-session'],
  summary: 'End a session of a user',
  arguments: { username: { description: 'whose session' }, session: { description: 'its number' } },
  examples: [{ line: 'davit user end-session grace 7', does: 'asks for its number first' }],
  async run({ client, out, ask, globals, args: { username, session } }) {
    await confirm({ what: `Session ${session} of ${username} ends`, name: session }, { ask, yes: globals.yes });
    await (await client()).endUserSession({ params: { user: username, session } });
    out.done(null, `Session ${session} of ${username} has ended.`);
  },
});
