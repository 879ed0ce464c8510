import { APP, appOf } from '../../arguments/app.ts';
import { defineCommand } from '../../declaration/command.ts';
import { openShell } from '../../terminal/shell.ts';

export const command = defineCommand({
  path: ['app', 'shell'],
  summary: 'Open a shell in a replica of an app',
  description:
    'Opens a terminal in a running replica. Ctrl-C goes to the shell. Type `exit` or press Ctrl-D to leave. The exit code is the exit code of the shell.',
  arguments: { app: APP },
  options: {
    shell: { value: 'path', description: 'path of the shell in the image (default: /bin/sh)' },
    replica: {
      short: 'r',
      value: 'replica',
      description: 'name of the replica, such as 12-1 (default: the first running replica)',
    },
  },
  examples: [
    { line: 'davit shell', does: 'Open a shell in the app in davit.yaml' },
    { line: 'davit app shell shop/production/web --shell /bin/bash', does: 'Open Bash instead of the default shell' },
  ],
  async run(ctx) {
    const { shell, replica } = ctx.options;
    return openShell(ctx, await appOf(ctx.args.app, ctx), { command: undefined, shell, replica });
  },
});
