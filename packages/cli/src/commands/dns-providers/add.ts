import { defineCommand } from '../../declaration/command.ts';
import { CliError } from '../../errors/exit.ts';
import { credentialsOf } from './credentials.ts';

export const command = defineCommand({
  path: ['dns-provider', 'add'],
  summary: 'Store the credentials of a DNS provider, for wildcard certificates',
  description:
    'Supports all DNS providers of the lego library (https://go-acme.github.io/lego/dns/). The command prompts for the value of each variable. Without a terminal, the command reads lines of the form NAME=value from stdin. Required role: admin.',
  arguments: {
    name: { description: 'name that Davit shows for the DNS provider' },
    provider: { description: 'DNS provider, such as cloudflare (names: https://go-acme.github.io/lego/dns/)' },
    variables: {
      description: 'names of the credential variables that the DNS provider needs, such as CF_DNS_API_TOKEN',
      variadic: true,
    },
  },
  options: {
    domain: { short: 'd', value: 'domain', repeatable: true, description: 'domain that the DNS provider manages' },
    noCheck: { description: 'do not check the name of the DNS provider' },
    noPropagation: { description: 'do not wait until the DNS servers of the domain return the new record' },
  },
  examples: [
    {
      line: 'davit dns-provider add main cloudflare CF_DNS_API_TOKEN -d example.com',
      does: 'Add Cloudflare and enter the API token at the prompt',
    },
  ],
  async run({ client, out, ask: prompter, args, options }) {
    if (options.domain.length === 0) throw new CliError('usage', 'Specify at least one domain: --domain example.com.');
    const query = { ...(options.noCheck && { check: 'false' as const }) };
    const body = {
      name: args.name,
      provider: args.provider,
      credentials: await credentialsOf(args.variables, prompter),
      domains: options.domain,
      check_propagation: !options.noPropagation,
    };
    const provider = await (await client()).addDnsProvider({ query, body });
    out.done(
      provider,
      `Added DNS provider ${provider.id} (${provider.provider}) for ${provider.domains.join(', ')}.`,
      provider.id,
    );
  },
});
