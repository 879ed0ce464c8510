import { APP, appOf } from '../../arguments/app.ts';
import { defineCommand } from '../../declaration/command.ts';
import { openShell } from '../../terminal/shell.ts';

export const command = defineCommand({
  path: ['app', 'shell'],
  summary: 'Open a shell in a replica of an app',
  description:
    'A terminal in an instance that runs: what is typed goes there, Ctrl-C too, and «exit» or Ctrl-D ends it. It ends with the shell’s exit code.',
  arguments: { app: APP },
  options: {
    shell: { value: 'path', description: 'the shell’s path in the image; /bin/sh unless given' },
    instance: { short: 'i', value: 'name', description: 'the instance; absent: the first that runs' },
  },
  examples: [
    { line: 'davit shell', does: 'in the app of davit.yaml' },
    { line: 'davit app shell shop/production/web --shell /bin/bash', does: 'another shell' },
  ],
  async run(ctx) {
    const { shell, instance } = ctx.options;
    return openShell(ctx, await appOf(ctx.args.app, ctx), { command: undefined, shell, instance });
  },
});
