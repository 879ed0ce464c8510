import type { DomainCreate } from '@davit/api';
import { APP_FIRST, appOf } from '../../arguments/app.ts';
import { defineCommand } from '../../declaration/command.ts';
import { domainName } from '../../views/domain.ts';
import { RULES, rulesPatch } from './rules.ts';

export const command = defineCommand({
  path: ['domain', 'add'],
  summary: 'Add a domain to an app',
  description:
    'The domain works immediately, without a deployment. The DNS records of the domain must point to the server of the instance. Davit requests a certificate automatically.',
  arguments: { app: APP_FIRST, host: { description: 'host name of the domain, such as shop.example.com' } },
  options: {
    path: {
      value: 'path',
      description: 'path of the domain, such as /api; the app receives requests for /api and its subpaths',
    },
    ...RULES,
  },
  examples: [
    { line: 'davit domain add shop/production/web shop.example.com', does: 'Serve an app at a domain' },
    { line: 'davit domain add . www.example.com --redirect-to example.com', does: 'Redirect www to another domain' },
    { line: 'davit domain add . grpc.example.com --protocol h2c --port 9000', does: 'Serve a gRPC service' },
  ],
  async run(context) {
    const { client, out, ask: prompter, args, options } = context;
    const { path, ...rules } = options;
    const params = await appOf(args.app, context);
    const { headers, ...others } = await rulesPatch(rules, prompter);
    const body = {
      host: args.host,
      ...(path !== undefined && { path }),
      ...others,
      // A new domain has no headers that `--header none` could remove.
      ...(headers !== undefined && headers !== null && { headers }),
    } as DomainCreate;
    const domain = await (await client()).addDomain({ params, body });
    out.done(domain, `Added domain ${domainName(domain)}.`, domainName(domain));
  },
});
