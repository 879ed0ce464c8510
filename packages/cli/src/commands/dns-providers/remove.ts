import { defineCommand } from '../../declaration/command.ts';
import { confirm } from '../../prompts/confirm.ts';

export const command = defineCommand({
  path: ['dns-provider', 'remove'],
  summary: 'Remove a DNS provider',
  description: 'Existing certificates stay in use until they expire. Required role: admin.',
  arguments: { id: { description: 'ID of the DNS provider (see `davit dns-provider list`)' } },
  examples: [{ line: 'davit dns-provider remove 1', does: 'Remove DNS provider 1 after confirmation' }],
  async run({ client, out, ask: prompter, globals, args }) {
    const params = { provider: args.id };
    const api = await client();
    const { name, domains } = await api.getDnsProvider({ params });
    const what = `Without this DNS provider, Davit cannot request wildcard certificates for ${domains.join(', ')}`;
    await confirm({ what, name }, { ask: prompter, yes: globals.yes });
    await api.removeDnsProvider({ params });
    out.done(null, `Removed DNS provider ${name}.`);
  },
});
