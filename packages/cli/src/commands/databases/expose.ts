import { DATABASE, databaseOf } from '../../arguments/database.ts';
import { wholeNumber } from '../../arguments/values.ts';
import { defineCommand } from '../../declaration/command.ts';
import { NO_WAIT } from '../../progress/started-deployment.ts';
import { startedTask } from '../../progress/started-task.ts';

export const command = defineCommand({
  path: ['database', 'expose'],
  summary: 'Expose a database on a port of the server, or stop exposing it',
  description:
    'A port of the machine leads to it, with TLS where the engine speaks it. It is started again for it. Admins only.',
  arguments: { database: DATABASE },
  options: {
    port: { short: 'p', value: 'port', description: 'absent: a free one' },
    off: { description: 'take the port away' },
    noWait: NO_WAIT,
  },
  examples: [
    { line: 'davit database expose shop/production/db', does: 'on a free port; the credentials have its address' },
    { line: 'davit database expose shop/production/db --off', does: 'closes it' },
  ],
  async run(context) {
    const { client, args, options } = context;
    const params = databaseOf(args.database);
    const api = await client();
    const body = options.port === undefined ? {} : { port: wholeNumber(options.port, 'port') };
    const task = options.off ? await api.unexposeDatabase({ params }) : await api.exposeDatabase({ params, body });
    const sentence = options.off
      ? `Only apps of its environment reach ${args.database} now.`
      : `The world reaches ${args.database}: «davit database credentials ${args.database}» says how.`;
    await startedTask(context, task, { noWait: options.noWait, sentence });
  },
});
