import { defineCommand } from '../../declaration/command.ts';
import { CliError } from '../../errors/exit.ts';
import { credentialsOf } from './credentials.ts';

export const command = defineCommand({
  path: ['dns-provider', 'add'],
  summary: 'Store the credentials of a DNS provider, for wildcard certificates',
  description:
    'Any that lego knows. Each variable that is named is asked for; without a terminal NAME=value is read from stdin, a line each. Admins only.',
  arguments: {
    name: { description: 'how you call it' },
    provider: { description: 'its code at lego, such as cloudflare' },
    variables: { description: 'the variables that lego reads for it, such as CF_DNS_API_TOKEN', variadic: true },
  },
  options: {
    domain: { short: 'd', value: 'domain', repeatable: true, description: 'a domain whose records it can write' },
    noCheck: { description: 'do not look whether lego knows the provider' },
    noPropagation: { description: 'do not wait until the domain’s own servers have the record' },
  },
  examples: [
    { line: 'davit dns-provider add main cloudflare CF_DNS_API_TOKEN -d example.com', does: 'asks for the token' },
  ],
  async run({ client, out, ask, args, options }) {
    if (options.domain.length === 0)
      throw new CliError('usage', 'Say whose records it can write: --domain example.com.');
    const query = { ...(options.noCheck && { check: 'false' as const }) };
    const body = {
      name: args.name,
      provider: args.provider,
      credentials: await credentialsOf(args.variables, ask),
      domains: options.domain,
      check_propagation: !options.noPropagation,
    };
    const provider = await (await client()).addDnsProvider({ query, body });
    out.done(
      provider,
      `Names below ${provider.domains.join(', ')} are proven by ${provider.provider} from now on.`,
      provider.id,
    );
  },
});
