import { APP_FIRST, appOf } from '../../arguments/app.ts';
import { defineCommand } from '../../declaration/command.ts';
import { confirm } from '../../prompts/confirm.ts';

export const command = defineCommand({
  path: ['schedule', 'remove'],
  summary: 'Remove a schedule',
  description: 'Its runs stay on record; one that is going goes on.',
  arguments: { app: APP_FIRST, schedule: { description: 'its number' } },
  examples: [{ line: 'davit schedule remove shop/production/web 1', does: 'asks for its number first' }],
  async run(context) {
    const { client, out, ask, globals, args } = context;
    const params = { ...(await appOf(args.app, context)), schedule: args.schedule };
    const api = await client();
    const { command: words } = await api.getSchedule({ params });
    const what = `«${words.join(' ')}» will not be run at its times any more`;
    await confirm({ what, name: args.schedule }, { ask, yes: globals.yes });
    await api.removeSchedule({ params });
    out.done(null, `Schedule ${args.schedule} is removed.`);
  },
});
