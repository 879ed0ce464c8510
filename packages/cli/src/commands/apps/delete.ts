import { APP_FIRST, appOf, referenceOf } from '../../arguments/app.ts';
import { defineCommand } from '../../declaration/command.ts';
import { confirm } from '../../prompts/confirm.ts';

export const command = defineCommand({
  path: ['app', 'delete'],
  summary: 'Delete an app',
  description: 'Stops and removes all replicas and deletes the deployments of the app. Volumes are kept.',
  arguments: { app: APP_FIRST },
  examples: [
    { line: 'davit app delete shop/production/web', does: 'Delete an app after confirmation' },
    { line: 'davit app delete shop/production/web --yes', does: 'Delete an app without confirmation' },
  ],
  async run(context) {
    const { client, out, ask: prompter, globals } = context;
    const params = await appOf(context.args.app, context);
    const api = await client();
    // Checks that the app exists before the CLI asks the user to confirm the deletion with the app's name.
    const { volumes } = await api.getApp({ params });
    const name = referenceOf(params);
    await confirm({ what: `This stops and deletes the app ${name}`, name }, { ask: prompter, yes: globals.yes });
    await api.deleteApp({ params });
    const kept = volumes.length > 0 ? ' Its volumes are kept. List them: davit volume list' : '';
    out.done(null, `Deleted app ${name}.${kept}`);
  },
});
