import { defineCommand } from '../../declaration/command.ts';
import { confirm } from '../../prompts/confirm.ts';

export const command = defineCommand({
  path: ['credential', 'remove'],
  summary: 'Remove the credentials of a registry',
  arguments: { number: { description: 'as the list shows it' } },
  examples: [{ line: 'davit credential remove 2', does: 'asks for the host first' }],
  async run({ client, out, ask, globals, args }) {
    const params = { registry: args.number };
    const api = await client();
    const { host } = await api.getRegistry({ params });
    await confirm(
      { what: `Images of ${host} are pulled without an account then`, name: host },
      { ask, yes: globals.yes },
    );
    await api.removeRegistry({ params });
    out.done(null, `The credentials of ${host} are forgotten.`);
  },
});
