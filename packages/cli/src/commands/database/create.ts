import { defineCommand } from '../../command.ts';
import { DATABASE, databaseOf } from '../../database-argument.ts';
import { CliError } from '../../exit.ts';
import { NO_WAIT } from '../../started-deployment.ts';
import { startedTask } from '../../started-task.ts';
import { byteCount } from '../../values.ts';

export const command = defineCommand({
  path: ['database', 'create'],
  summary: 'Make a database',
  description:
    'It is reached by the apps of its environment. Its password is made, and told by «davit database credentials». Admins only.',
  arguments: { database: DATABASE, engine: { description: 'postgres, mysql, mariadb, redis or mongodb' } },
  options: {
    version: { short: 'v', value: 'version', description: 'absent: the one that the instance offers first' },
    extension: { short: 'e', value: 'name', repeatable: true, description: 'of PostgreSQL, such as pgvector' },
    description: { value: 'text', description: 'for people' },
    username: { value: 'name', description: 'absent: the engine’s own' },
    databaseName: { value: 'name', description: 'absent: the name, with «_» for «-»' },
    cpu: { value: 'cores', description: 'such as 0.5; absent: no limit' },
    memory: { value: 'memory', description: 'such as 512m; absent: no limit' },
    noWait: NO_WAIT,
  },
  examples: [
    { line: 'davit database create shop/production/db postgres', does: 'a PostgreSQL' },
    {
      line: 'davit database create shop/production/db postgres -v 17 -e pgvector',
      does: 'of a version, with an extension',
    },
  ],
  async run(context) {
    const { client, args, options } = context;
    const { project, environment, database: name } = databaseOf(args.database);
    const cpu = options.cpu === undefined ? null : Number(options.cpu);
    if (Number.isNaN(cpu))
      throw new CliError('usage', `«${options.cpu}» is no number of cores: write one such as 0.5.`);
    const memory = options.memory === undefined ? null : byteCount(options.memory);
    const body = {
      project,
      environment,
      name,
      engine: args.engine as 'postgres',
      extensions: options.extension,
      limits: { cpu, memory_bytes: memory },
      ...(options.version !== undefined && { version: options.version }),
      ...(options.description !== undefined && { description: options.description }),
      ...(options.username !== undefined && { username: options.username }),
      ...(options.databaseName !== undefined && { database: options.databaseName }),
    };
    const task = await (await client()).createDatabase({ body });
    await startedTask(context, task, {
      noWait: options.noWait,
      sentence: `Database ${args.database} runs: «davit database attach ${args.database} <app>» gives it to an app.`,
    });
  },
});
