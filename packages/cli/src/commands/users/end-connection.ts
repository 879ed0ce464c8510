import { defineCommand } from '../../declaration/command.ts';
import { confirm } from '../../prompts/confirm.ts';

export const command = defineCommand({
  path: ['user', 'end-connection'],
  summary: 'Disconnect a program of a user',
  arguments: {
    username: { description: 'name of the user' },
    connection: { description: 'number of the connected program, as in `davit user connections`' },
  },
  examples: [{ line: 'davit user end-connection grace 3', does: 'Disconnect a program after confirmation' }],
  async run({ client, out, ask, globals, args: { username, connection } }) {
    await confirm(
      { what: `This disconnects program ${connection} of ${username}`, name: connection },
      { ask, yes: globals.yes },
    );
    await (await client()).endUserConnection({ params: { user: username, connection } });
    out.done(null, `Disconnected program ${connection} of ${username}.`);
  },
});
