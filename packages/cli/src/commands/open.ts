import { APP, appOf } from '../arguments/app.ts';
import { defineCommand } from '../declaration/command.ts';
import { CliError } from '../errors/exit.ts';
import { runProgram } from '../process/programs.ts';
import { addressOf, servingOf } from '../views/address.ts';

export const command = defineCommand({
  path: ['open'],
  summary: 'Print the address of an app, and open it',
  description: 'The command opens the address in a browser only if the computer has a display.',
  arguments: { app: APP },
  examples: [
    { line: 'davit open shop/production/web', does: 'Print and open the address of an app' },
    { line: 'curl $(davit open -q)', does: 'Pass the address of the app to another program' },
  ],
  async run(context) {
    const { client, out, env, world: runtime, globals } = context;
    const params = await appOf(context.args.app, context);
    const api = await client();
    const [app, serving] = await Promise.all([api.getApp({ params }), servingOf(api)]);
    const url = addressOf(app, serving);
    if (url === null) throw new CliError('conflict', `${app.reference} has no address because the app is a worker.`);
    if (out.isJson) return out.json({ url });
    out.line(url);
    if (env.hasDisplay && runtime.stdout.isTTY && !globals.quiet) await runProgram('xdg-open', [url]);
  },
});
