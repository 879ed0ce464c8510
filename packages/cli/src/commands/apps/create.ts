import type { AppCreate } from '@davit/api';
import { APP_FIRST, appOf } from '../../arguments/app.ts';
import { defineCommand } from '../../declaration/command.ts';
import { SETTINGS, settingsPatch } from './settings.ts';

export const command = defineCommand({
  path: ['app', 'create'],
  summary: 'Create an app',
  description: 'The project and the environment must exist. The app runs after its first deployment.',
  arguments: { app: { ...APP_FIRST, description: 'app, as project/environment/app' } },
  options: SETTINGS,
  examples: [
    {
      line: 'davit app create shop/production/web --image ghcr.io/acme/web',
      does: 'Create an app from an image in another registry',
    },
    {
      line: 'davit app create shop/production/api',
      does: 'Create an app for images that you push to the registry of the instance',
    },
    {
      line: 'davit app create shop/production/jobs --image acme/jobs --port none',
      does: 'Create a worker, which has no port',
    },
  ],
  async run(context) {
    const { client, out, args, options } = context;
    const { project, environment, app } = await appOf(args.app, context);
    const settings = { source: 'registry', ...settingsPatch(options) } as AppCreate;
    const made = await (await client()).createApp({ body: { ...settings, project, environment, name: app } });
    out.done(
      made,
      `Created app ${made.reference}. Deploy it: davit app deploy ${made.reference} --tag <tag>`,
      made.reference,
    );
  },
});
