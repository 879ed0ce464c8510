import { defineCommand } from '../../declaration/command.ts';
import { CliError } from '../../errors/exit.ts';
import { credentialsOf } from './credentials.ts';

export const command = defineCommand({
  path: ['dns-provider', 'set'],
  summary: 'Change a DNS provider',
  description:
    'The variables that you specify replace all stored variables. The command prompts for the value of each variable. Without a terminal, the command reads lines of the form NAME=value from stdin. Required role: admin.',
  arguments: {
    id: { description: 'ID of the DNS provider (see `davit dns-provider list`)' },
    variables: {
      description: 'names of the variables that contain the new credentials, such as CF_DNS_API_TOKEN',
      variadic: true,
      optional: true,
    },
  },
  options: {
    domain: {
      short: 'd',
      value: 'domain',
      repeatable: true,
      description: 'domain that the DNS provider manages; replaces the current list of domains',
    },
    noCheck: { description: 'do not check the name of the DNS provider' },
  },
  examples: [
    { line: 'davit dns-provider set 1 CF_DNS_API_TOKEN', does: 'Change the API token of a DNS provider' },
    {
      line: 'davit dns-provider set 1 -d example.com -d example.org',
      does: 'Change the domains that a DNS provider manages',
    },
  ],
  async run({ client, out, ask: prompter, args, options }) {
    const { variables = [] } = args;
    const body = {
      ...(variables.length > 0 && { credentials: await credentialsOf(variables, prompter) }),
      ...(options.domain.length > 0 && { domains: options.domain }),
    };
    if (Object.keys(body).length === 0)
      throw new CliError('usage', 'Nothing to change: specify a variable or --domain.');
    const query = { ...(options.noCheck && { check: 'false' as const }) };
    const provider = await (await client()).patchDnsProvider({ params: { provider: args.id }, query, body });
    out.done(
      provider,
      `Changed DNS provider ${provider.id} (${provider.provider}) for ${provider.domains.join(', ')}.`,
      provider.id,
    );
  },
});
