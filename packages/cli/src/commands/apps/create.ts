import type { App, AppCreate } from '@davit/api';
import { APP_FIRST, appOf } from '../../arguments/app.ts';
import { createdIn } from '../../client/in-environment.ts';
import { defineCommand } from '../../declaration/command.ts';
import type { Context } from '../../declaration/context.ts';
import { registryHost } from '../../up/registry-host.ts';
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
    const { client: connect, out, args, options } = context;
    const { project, environment, app } = await appOf(args.app, context);
    const settings = { source: 'registry', ...settingsPatch(options) } as AppCreate;
    const client = await connect();
    const made = await createdIn(client, { project, environment }, () =>
      client.createApp({ body: { ...settings, project, environment, name: app } }),
    );
    out.done(made, `Created app ${made.reference}. ${await nextStep(context, made)}`, made.reference);
  },
});

/**
 * Returns a sentence about how to start the first deployment. If the app has the source `registry`, its repository is
 * empty, so the user must first push an image.
 */
async function nextStep({ client, connection }: Context, { source, reference }: App): Promise<string> {
  if (source !== 'registry') return `Deploy it: davit app deploy ${reference} --tag <tag>`;
  const [{ url }, instance] = [await connection(), await (await client()).getInstance()];
  return `Push an image to deploy it: docker push ${registryHost(url, instance)}/${reference}:<tag>`;
}
