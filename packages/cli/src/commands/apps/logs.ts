import { APP, appOf } from '../../arguments/app.ts';
import { momentBefore } from '../../arguments/values.ts';
import { defineCommand } from '../../declaration/command.ts';
import { showLogs } from '../../logs/show-logs.ts';

export const command = defineCommand({
  path: ['app', 'logs'],
  summary: 'Show or follow the logs of an app',
  description:
    'Shows stdout and stderr of all replicas in chronological order, including replicas of failed deployments and removed replicas. Control characters are escaped. With --follow, the command reconnects after network errors. Ctrl-C ends the command.',
  arguments: { app: APP },
  options: {
    follow: { short: 'f', description: 'follow new log lines' },
    tail: {
      short: 'n',
      value: 'lines',
      description: 'maximum number of lines, or "all" (default: 500, with `--since`: 10000)',
    },
    grep: { short: 'g', value: 'text', description: 'only lines that contain this text, ignoring case' },
    since: { value: 'time', description: 'start of the time range, such as 10m, 2h, 7d or 2030-01-31T12:00:00Z' },
    until: { value: 'time', description: 'end of the time range, in the format of `--since`' },
    replica: { value: 'replica', description: 'only lines of the replica with this name, such as 12-1' },
    deployment: { value: 'deployment', description: 'only lines of the deployment with this ID, such as 12' },
    stream: { value: 'stream', choices: ['stdout', 'stderr'], description: 'only lines of this output stream' },
    timestamps: { short: 't', description: 'show the time of each line' },
    ansi: { description: 'show the colors of the log lines' },
  },
  examples: [
    { line: 'davit logs -f', does: 'Follow the logs of the app in davit.yaml' },
    { line: 'davit logs shop/production/web -n 100', does: 'Show the last 100 log lines' },
    { line: 'davit logs --since 1h --grep timeout', does: 'Search the log lines of the last hour' },
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
