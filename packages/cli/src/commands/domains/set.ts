import { APP_FIRST, appOf } from '../../arguments/app.ts';
import { defineCommand } from '../../declaration/command.ts';
import { CliError } from '../../errors/exit.ts';
import { domainFields, domainName } from '../../views/domain.ts';
import { domainOf } from './lookup.ts';
import { RULES, rulesPatch } from './rules.ts';

export const command = defineCommand({
  path: ['domain', 'set'],
  summary: 'Change the settings of a domain',
  description: 'Acts at once. What is not named stays; «none» takes a rule off.',
  arguments: { app: APP_FIRST, domain: { description: 'its host, with the path where it has one; or its number' } },
  options: RULES,
  examples: [
    { line: "davit domain set . shop.example.com --maintenance 'Back at noon.'", does: 'a page instead of the app' },
    { line: 'davit domain set . shop.example.com --maintenance none', does: 'the app again' },
    { line: 'davit domain set . shop.example.com --basic-auth ada', does: 'asks for the password of ada' },
  ],
  async run(context) {
    const { client, out, ask, args, options } = context;
    const params = await appOf(args.app, context);
    const api = await client();
    const { id } = await domainOf(api, params, args.domain);
    const body = await rulesPatch(options, ask);
    if (Object.keys(body).length === 0) {
      throw new CliError('usage', 'Nothing was to be changed: name a rule, such as --https only.');
    }
    const domain = await api.patchDomain({ params: { ...params, domain: String(id) }, body });
    out.record(domain, domainFields(domain), domainName(domain));
  },
});
