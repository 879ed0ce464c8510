import { APP, appOf } from '../../arguments/app.ts';
import { momentBefore } from '../../arguments/values.ts';
import { defineCommand } from '../../declaration/command.ts';
import { showLogs } from '../../logs/show-logs.ts';

export const command = defineCommand({
  path: ['app', 'logs'],
  summary: 'Show or follow the logs of an app',
  description:
    'stdout and stderr of all its instances in time order, failed deploys and removed containers included. Control characters are shown, not obeyed. Following goes on over breaks of the connection; Ctrl-C leaves.',
  arguments: { app: APP },
  options: {
    follow: { short: 'f', description: 'go on with what it writes from now on' },
    tail: { short: 'n', value: 'lines', description: 'the newest so many; 500 unless given; or «all»' },
    grep: { short: 'g', value: 'text', description: 'only lines that contain this, letter case aside' },
    since: { value: 'time', description: '10m, 2h, 7d, or a time' },
    until: { value: 'time', description: 'the same' },
    instance: { value: 'instance', description: 'only what this one wrote, such as 12-1' },
    deployment: { value: 'deployment', description: 'only what the instances of this one wrote' },
    stream: { value: 'stream', choices: ['stdout', 'stderr'], description: 'only this one' },
    timestamps: { short: 't', description: 'when each line was written' },
    ansi: { description: 'keep the colours that the app wrote' },
  },
  examples: [
    { line: 'davit logs -f', does: 'follows the app of davit.yaml' },
    { line: 'davit logs shop/production/web -n 100', does: 'the last hundred lines' },
    { line: 'davit logs --since 1h --grep timeout', does: 'a search' },
  ],
  async run(context) {
    const { args, options } = context;
    const { grep, since, until, ...others } = options;
    const now = Date.now();
    return showLogs(context, await appOf(args.app, context), {
      ...others,
      search: grep,
      since: since === undefined ? undefined : momentBefore(since, now),
      until: until === undefined ? undefined : momentBefore(until, now),
    });
  },
});
