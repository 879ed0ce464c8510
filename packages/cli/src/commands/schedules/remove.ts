import { APP_FIRST, appOf } from '../../arguments/app.ts';
import { defineCommand } from '../../declaration/command.ts';
import { confirm } from '../../prompts/confirm.ts';

export const command = defineCommand({
  path: ['schedule', 'remove'],
  summary: 'Remove a schedule',
  description:
    'Davit keeps the earlier runs of the schedule. If a run has already started, Davit does not stop the run.',
  arguments: { app: APP_FIRST, schedule: { description: 'ID of the schedule (see `davit schedule list`)' } },
  examples: [{ line: 'davit schedule remove shop/production/web 1', does: 'Remove schedule 1 after confirmation' }],
  async run(context) {
    const { client, out, ask: prompter, globals, args } = context;
    const params = { ...(await appOf(args.app, context)), schedule: args.schedule };
    const api = await client();
    const { command: words } = await api.getSchedule({ params });
    const what = `This removes the schedule that runs "${words.join(' ')}"`;
    await confirm({ what, name: args.schedule }, { ask: prompter, yes: globals.yes });
    await api.removeSchedule({ params });
    out.done(null, `Removed schedule ${args.schedule}.`);
  },
});
