import { APP, appOf } from '../arguments/app.ts';
import { defineCommand } from '../declaration/command.ts';
import { CliError } from '../errors/exit.ts';
import { runProgram } from '../process/programs.ts';
import { addressOf } from '../views/address.ts';

export const command = defineCommand({
  path: ['open'],
  summary: 'Print the address of an app, and open it',
  description: 'A browser is opened only where there is a screen for one.',
  arguments: { app: APP },
  examples: [
    { line: 'davit open shop/production/web', does: 'its address' },
    { line: 'curl $(davit open -q)', does: 'asks the app of davit.yaml' },
  ],
  async run(context) {
    const { client, out, env, world, globals } = context;
    const params = await appOf(context.args.app, context);
    const api = await client();
    const [app, instance] = await Promise.all([api.getApp({ params }), api.getInstance()]);
    const url = addressOf(app, instance);
    if (url === null) throw new CliError('conflict', `${app.reference} is a worker: it has no address.`);
    if (out.isJson) return out.json({ url });
    out.line(url);
    if (env.hasDisplay && world.stdout.isTTY && !globals.quiet) await runProgram('xdg-open', [url]);
  },
});
