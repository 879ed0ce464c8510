import { helpPath } from '@davit/api';
import { defineCommand } from '../../declaration/command.ts';
import { CliError } from '../../errors/exit.ts';
import { helpAddress } from '../../progress/help-address.ts';
import { NO_WAIT } from '../../progress/started-deployment.ts';
import { untilDone } from '../../progress/until-done.ts';

const LEFT = 'The check continues in the background. Show the result: davit platform list';

export const command = defineCommand({
  path: ['platform', 'check'],
  summary: 'Check for security updates of the proxy, the registry, the DNS resolver and the databases',
  description:
    'Davit also checks for security updates every day, unless the setting platform_images.check is off. Davit installs updates of database images in the maintenance window, and other updates immediately. The command waits for the check and for the immediate updates. Required role: admin with access to all projects.',
  options: { noWait: NO_WAIT },
  examples: [{ line: 'davit platform check', does: 'Check for security updates now' }],
  async run(context) {
    const { client: connect, out, options } = context;
    const client = await connect();
    const started = await client.checkPlatformImages();
    if (options.noWait) return out.done(started, LEFT);
    const { platform_check: check } = await untilDone(context, {
      events: { kinds: 'instance' },
      read: (signal) => client.getInstance({ signal }),
      isDone: (instance) => !instance.platform_check.running,
      left: LEFT,
    });
    if (check.failure !== null) {
      const { code } = check.failure;
      throw new CliError('failed', `The check failed (${code}). Find the reason in the log of the instance.`, {
        help: await helpAddress(context, helpPath(code)),
      });
    }
    out.done(check, 'The check is complete. Show the result: davit platform list');
  },
});
