import { defineCommand } from '../../declaration/command.ts';
import { confirm } from '../../prompts/confirm.ts';

export const command = defineCommand({
  path: ['credential', 'remove'],
  summary: 'Remove the credentials of a registry',
  arguments: { id: { description: 'ID of the registry credentials (see `davit credential list`)' } },
  examples: [{ line: 'davit credential remove 2', does: 'Remove registry credentials after confirmation' }],
  async run({ client, out, ask: prompter, globals, args }) {
    const params = { registry: args.id };
    const api = await client();
    const { host } = await api.getRegistry({ params });
    await confirm(
      {
        what: `This removes the credentials for ${host}: Davit then pulls images of ${host} without credentials`,
        name: host,
      },
      { ask: prompter, yes: globals.yes },
    );
    await api.removeRegistry({ params });
    out.done(null, `Removed the credentials for ${host}.`);
  },
});
