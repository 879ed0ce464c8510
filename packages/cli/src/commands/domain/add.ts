import { APP_FIRST, appOf } from '../../app-argument.ts';
import { defineCommand } from '../../command.ts';
import { wholeNumber } from '../../values.ts';

export const command = defineCommand({
  path: ['domain', 'add'],
  summary: 'Give an app a domain',
  description: 'Acts at once, without a deploy. Its name must lead to this instance’s machine.',
  arguments: { app: APP_FIRST, host: { description: 'such as shop.example.com' } },
  options: {
    port: { value: 'port', description: 'the app’s port for it; absent: the app’s own' },
    protocol: { value: 'protocol', choices: ['http', 'h2c'], description: 'how the app is spoken to; h2c for gRPC' },
  },
  examples: [
    { line: 'davit domain add shop/production/web shop.example.com', does: 'serves it' },
    { line: 'davit domain add . grpc.example.com --protocol h2c --port 9000', does: 'a gRPC service' },
  ],
  async run(context) {
    const { client, out, args, options } = context;
    const params = await appOf(args.app, context);
    const body = {
      host: args.host,
      ...(options.port !== undefined && { port: wholeNumber(options.port, 'port') }),
      ...(options.protocol !== undefined && { protocol: options.protocol }),
    };
    const domain = await (await client()).addDomain({ params, body });
    out.done(domain, `${domain.host} leads to the app from now on.`, domain.host);
  },
});
