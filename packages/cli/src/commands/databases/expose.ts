import { DATABASE, databaseOf } from '../../arguments/database.ts';
import { wholeNumber } from '../../arguments/values.ts';
import { defineCommand } from '../../declaration/command.ts';
import { NO_WAIT } from '../../progress/started-deployment.ts';
import { startedTask } from '../../progress/started-task.ts';

export const command = defineCommand({
  path: ['database', 'expose'],
  summary: 'Expose a database on a port of the server, or stop exposing it',
  description:
    'Opens a port of the server, so that clients outside the server can connect to the database with TLS. Davit restarts the database. Required role: admin.',
  arguments: { database: DATABASE },
  options: {
    port: { short: 'p', value: 'port', description: 'port of the server (default: a free port)' },
    off: { description: 'stop exposing the database' },
    noWait: NO_WAIT,
  },
  examples: [
    { line: 'davit database expose shop/production/db', does: 'Expose a database on a free port' },
    { line: 'davit database expose shop/production/db --off', does: 'Stop exposing a database' },
  ],
  async run(context) {
    const { client, args, options } = context;
    const params = databaseOf(args.database);
    const api = await client();
    const body = options.port === undefined ? {} : { port: wholeNumber(options.port, 'port') };
    const task = options.off ? await api.unexposeDatabase({ params }) : await api.exposeDatabase({ params, body });
    const sentence = options.off
      ? `${args.database} is no longer exposed. Only apps in the same environment can connect.`
      : `Exposed ${args.database}. Show the address: davit database credentials ${args.database}`;
    await startedTask(context, task, { noWait: options.noWait, sentence });
  },
});
