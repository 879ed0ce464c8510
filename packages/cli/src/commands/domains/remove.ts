import { APP_FIRST, appOf } from '../../arguments/app.ts';
import { defineCommand } from '../../declaration/command.ts';
import { confirm } from '../../prompts/confirm.ts';
import { domainName } from '../../views/domain.ts';
import { domainOf } from './lookup.ts';

export const command = defineCommand({
  path: ['domain', 'remove'],
  summary: 'Remove a domain from an app',
  arguments: { app: APP_FIRST, domain: { description: 'its host, with the path where it has one; or its number' } },
  examples: [{ line: 'davit domain remove shop/production/web shop.example.com', does: 'asks for the name first' }],
  async run(context) {
    const { client, out, ask, globals, args } = context;
    const params = await appOf(args.app, context);
    const api = await client();
    const domain = await domainOf(api, params, args.domain);
    const name = domainName(domain);
    await confirm({ what: `${name} will not lead to the app any more`, name }, { ask, yes: globals.yes });
    await api.removeDomain({ params: { ...params, domain: String(domain.id) } });
    out.done(null, `${name} does not lead to the app any more.`);
  },
});
