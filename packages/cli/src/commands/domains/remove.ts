import { APP_FIRST, appOf } from '../../arguments/app.ts';
import { defineCommand } from '../../declaration/command.ts';
import { confirm } from '../../prompts/confirm.ts';
import { domainName } from '../../views/domain.ts';
import { domainOf } from './lookup.ts';

export const command = defineCommand({
  path: ['domain', 'remove'],
  summary: 'Remove a domain from an app',
  arguments: { app: APP_FIRST, domain: { description: 'domain as host or host/path, or ID of the domain' } },
  examples: [
    { line: 'davit domain remove shop/production/web shop.example.com', does: 'Remove a domain after confirmation' },
  ],
  async run(context) {
    const { client, out, ask: prompter, globals, args } = context;
    const params = await appOf(args.app, context);
    const api = await client();
    const domain = await domainOf(api, params, args.domain);
    const name = domainName(domain);
    await confirm({ what: `This removes the domain ${name} from the app`, name }, { ask: prompter, yes: globals.yes });
    await api.removeDomain({ params: { ...params, domain: String(domain.id) } });
    out.done(null, `Removed domain ${name}.`);
  },
});
