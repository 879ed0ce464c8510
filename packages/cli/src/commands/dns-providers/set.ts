import { defineCommand } from '../../declaration/command.ts';
import { CliError } from '../../errors/exit.ts';
import { credentialsOf } from './credentials.ts';

export const command = defineCommand({
  path: ['dns-provider', 'set'],
  summary: 'Change a DNS provider',
  description:
    'Variables that are named replace all that are stored: each is asked for, or without a terminal read from stdin as NAME=value, a line each. Admins only.',
  arguments: {
    number: { description: 'as the list shows it' },
    variables: { description: 'the variables that lego reads for it', variadic: true, optional: true },
  },
  options: {
    domain: {
      short: 'd',
      value: 'domain',
      repeatable: true,
      description: 'a domain whose records it can write; all are replaced',
    },
    noCheck: { description: 'do not look whether lego knows the provider' },
  },
  examples: [
    { line: 'davit dns-provider set 1 CF_DNS_API_TOKEN', does: 'asks for the new token' },
    { line: 'davit dns-provider set 1 -d example.com -d example.org', does: 'for these domains' },
  ],
  async run({ client, out, ask, args, options }) {
    const { variables = [] } = args;
    const body = {
      ...(variables.length > 0 && { credentials: await credentialsOf(variables, ask) }),
      ...(options.domain.length > 0 && { domains: options.domain }),
    };
    if (Object.keys(body).length === 0)
      throw new CliError('usage', 'Nothing was to be changed: name a variable, or --domain.');
    const query = { ...(options.noCheck && { check: 'false' as const }) };
    const provider = await (await client()).patchDnsProvider({ params: { provider: args.number }, query, body });
    out.done(provider, `Names below ${provider.domains.join(', ')} are proven by ${provider.provider}.`, provider.id);
  },
});
