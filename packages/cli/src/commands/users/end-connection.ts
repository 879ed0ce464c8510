import { defineCommand } from '../../declaration/command.ts';
import { confirm } from '../../prompts/confirm.ts';

export const command = defineCommand({
  path: ['user', 'end-connection'],
  summary: 'Disconnect a client that acts on behalf of a user, such as an AI assistant',
  arguments: {
    username: { description: 'name of the user' },
    connection: { description: 'ID of the client (see `davit user connections`)' },
  },
  examples: [{ line: 'davit user end-connection grace 3', does: 'Disconnect a client after confirmation' }],
  async run({ client, out, ask: prompter, globals, args: { username, connection } }) {
    await confirm(
      { what: `This disconnects client ${connection} of ${username}`, name: connection },
      { ask: prompter, yes: globals.yes },
    );
    await (await client()).endUserConnection({ params: { user: username, connection } });
    out.done(null, `Disconnected client ${connection} of ${username}.`);
  },
});
