import { APP_FIRST, appOf, referenceOf } from '../../arguments/app.ts';
import { defineCommand } from '../../declaration/command.ts';
import { confirm } from '../../prompts/confirm.ts';

export const command = defineCommand({
  path: ['app', 'delete'],
  summary: 'Delete an app',
  description: 'What runs is stopped and removed, its deployments are forgotten. Volumes are kept.',
  arguments: { app: APP_FIRST },
  examples: [
    { line: 'davit app delete shop/production/web', does: 'asks for the name first' },
    { line: 'davit app delete shop/production/web --yes', does: 'in a script' },
  ],
  async run(context) {
    const { client, out, ask, globals } = context;
    const params = await appOf(context.args.app, context);
    const api = await client();
    // An app that does not exist is reported before the user types its name.
    await api.getApp({ params });
    const name = referenceOf(params);
    await confirm({ what: `This stops and deletes the app ${name}`, name }, { ask, yes: globals.yes });
    await api.deleteApp({ params });
    out.done(null, `App ${name} is deleted. Its volumes are kept: «davit volume list».`);
  },
});
