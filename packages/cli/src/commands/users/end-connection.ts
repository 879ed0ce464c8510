import { defineCommand } from '../../declaration/command.ts';
import { confirm } from '../../prompts/confirm.ts';

export const command = defineCommand({
  path: ['user', 'end-connection'],
  summary: 'Disconnect a program of a user',
  arguments: { username: { description: 'whose connection' }, connection: { description: 'its number' } },
  examples: [{ line: 'davit user end-connection grace 3', does: 'asks for its number first' }],
  async run({ client, out, ask, globals, args: { username, connection } }) {
    await confirm(
      { what: `Connection ${connection} of ${username} ends`, name: connection },
      { ask, yes: globals.yes },
    );
    await (await client()).endUserConnection({ params: { user: username, connection } });
    out.done(null, `Connection ${connection} of ${username} has ended.`);
  },
});
