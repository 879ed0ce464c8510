import type { AppCreate } from '@davit/api';
import { APP_FIRST, appOf } from '../../arguments/app.ts';
import { defineCommand } from '../../declaration/command.ts';
import { SETTINGS, settingsPatch } from './settings.ts';

export const command = defineCommand({
  path: ['app', 'create'],
  summary: 'Create an app',
  description: 'Nothing runs until the first deploy. The project and the environment must be there.',
  arguments: { app: { ...APP_FIRST, description: 'its reference, project/environment/app' } },
  options: SETTINGS,
  examples: [
    { line: 'davit app create shop/production/web --image ghcr.io/acme/web', does: 'of an image in a registry' },
    { line: 'davit app create shop/production/api', does: 'of what is pushed to this instance' },
    { line: 'davit app create shop/production/jobs --image acme/jobs --port none', does: 'a worker' },
  ],
  async run(context) {
    const { client, out, args, options } = context;
    const { project, environment, app } = await appOf(args.app, context);
    const settings = { source: 'registry', ...settingsPatch(options) } as AppCreate;
    const made = await (await client()).createApp({ body: { ...settings, project, environment, name: app } });
    out.done(
      made,
      `App ${made.reference} is there: deploy it with «davit app deploy ${made.reference} --tag <tag>».`,
      made.reference,
    );
  },
});
