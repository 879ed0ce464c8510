import { APP_FIRST, appOf } from '../../app-argument.ts';
import { defineCommand } from '../../command.ts';
import { confirm } from '../../confirm.ts';
import { domainOf } from '../../domain-argument.ts';

export const command = defineCommand({
  path: ['domain', 'remove'],
  summary: 'Take a domain from an app',
  arguments: { app: APP_FIRST, host: { description: 'such as shop.example.com' } },
  examples: [{ line: 'davit domain remove shop/production/web shop.example.com', does: 'asks for the name first' }],
  async run(context) {
    const { client, out, ask, globals, args } = context;
    const params = await appOf(args.app, context);
    const api = await client();
    const { id, host } = await domainOf(api, params, args.host);
    await confirm({ what: `${host} will not be served any more`, name: host }, { ask, yes: globals.yes });
    await api.removeDomain({ params: { ...params, domain: String(id) } });
    out.done(null, `${host} does not lead to the app any more.`);
  },
});
