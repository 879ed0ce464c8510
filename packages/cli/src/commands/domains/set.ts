import { APP_FIRST, appOf } from '../../arguments/app.ts';
import { defineCommand } from '../../declaration/command.ts';
import { CliError } from '../../errors/exit.ts';
import { domainFields, domainName } from '../../views/domain.ts';
import { domainOf } from './lookup.ts';
import { RULES, rulesPatch } from './rules.ts';

export const command = defineCommand({
  path: ['domain', 'set'],
  summary: 'Change the settings of a domain',
  description:
    'Changes only the settings that you specify. Changes take effect immediately. The value "none" removes a setting.',
  arguments: { app: APP_FIRST, domain: { description: 'domain as host or host/path, or ID of the domain' } },
  options: RULES,
  examples: [
    { line: "davit domain set . shop.example.com --maintenance 'Back at noon.'", does: 'Show a maintenance page' },
    { line: 'davit domain set . shop.example.com --maintenance none', does: 'Remove the maintenance page' },
    {
      line: 'davit domain set . shop.example.com --basic-auth ada',
      does: 'Protect the domain with a password for the user `ada`',
    },
  ],
  async run(context) {
    const { client, out, ask: prompter, args, options } = context;
    const params = await appOf(args.app, context);
    const api = await client();
    const { id } = await domainOf(api, params, args.domain);
    const body = await rulesPatch(options, prompter);
    if (Object.keys(body).length === 0) {
      throw new CliError('usage', 'Nothing to change: specify a setting, for example `--https only`.');
    }
    const domain = await api.patchDomain({ params: { ...params, domain: String(id) }, body });
    out.record(domain, domainFields(domain), domainName(domain));
  },
});
