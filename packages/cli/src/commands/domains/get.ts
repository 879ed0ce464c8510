import { APP_FIRST, appOf } from '../../arguments/app.ts';
import { defineCommand } from '../../declaration/command.ts';
import { domainFields, domainName } from '../../views/domain.ts';
import { domainOf } from './lookup.ts';

export const command = defineCommand({
  path: ['domain', 'get'],
  summary: 'Show the settings and the certificate of a domain',
  arguments: { app: APP_FIRST, domain: { description: 'domain as host or host/path, or ID of the domain' } },
  examples: [
    {
      line: 'davit domain get shop/production/web shop.example.com',
      does: 'Show the settings, certificate and problems of a domain',
    },
  ],
  async run(context) {
    const params = await appOf(context.args.app, context);
    const domain = await domainOf(await context.client(), params, context.args.domain);
    context.out.record(domain, domainFields(domain), domainName(domain));
  },
});
