import type { DomainCreate } from '@davit/api';
import { APP_FIRST, appOf } from '../../arguments/app.ts';
import { defineCommand } from '../../declaration/command.ts';
import { domainName } from '../../views/domain.ts';
import { RULES, rulesPatch } from './rules.ts';

export const command = defineCommand({
  path: ['domain', 'add'],
  summary: 'Add a domain to an app',
  description:
    'Acts at once, without a deploy. Its name must lead to this instance’s machine; a certificate is then ordered by itself.',
  arguments: { app: APP_FIRST, host: { description: 'such as shop.example.com' } },
  options: { path: { value: 'path', description: 'only what is at and below it, such as /api' }, ...RULES },
  examples: [
    { line: 'davit domain add shop/production/web shop.example.com', does: 'serves it' },
    { line: 'davit domain add . www.example.com --redirect-to example.com', does: 'sends its visitors on' },
    { line: 'davit domain add . grpc.example.com --protocol h2c --port 9000', does: 'a gRPC service' },
  ],
  async run(context) {
    const { client, out, ask, args, options } = context;
    const { path, ...rules } = options;
    const params = await appOf(args.app, context);
    const body = {
      host: args.host,
      ...(path !== undefined && { path }),
      ...(await rulesPatch(rules, ask)),
    } as DomainCreate;
    const domain = await (await client()).addDomain({ params, body });
    out.done(domain, `${domainName(domain)} leads to the app from now on.`, domainName(domain));
  },
});
