import { defineCommand } from '../../declaration/command.ts';
import { confirm } from '../../prompts/confirm.ts';

export const command = defineCommand({
  path: ['dns-provider', 'remove'],
  summary: 'Remove a DNS provider',
  description: 'What was issued through it is served until it expires. Admins only.',
  arguments: { number: { description: 'as the list shows it' } },
  examples: [{ line: 'davit dns-provider remove 1', does: 'asks for its name first' }],
  async run({ client, out, ask, globals, args }) {
    const params = { provider: args.number };
    const api = await client();
    const { name, domains } = await api.getDnsProvider({ params });
    const what = `Names below ${domains.join(', ')} will be proven over HTTP, and wildcards not any more`;
    await confirm({ what, name }, { ask, yes: globals.yes });
    await api.removeDnsProvider({ params });
    out.done(null, `DNS provider ${name} is forgotten.`);
  },
});
