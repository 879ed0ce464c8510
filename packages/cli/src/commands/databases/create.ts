import { DATABASE, databaseOf } from '../../arguments/database.ts';
import { LIMITS, limitsPatch } from '../../arguments/limits.ts';
import { wholeNumber } from '../../arguments/values.ts';
import { createdIn } from '../../client/in-environment.ts';
import { defineCommand } from '../../declaration/command.ts';
import { NO_WAIT } from '../../progress/started-deployment.ts';
import { startedTask } from '../../progress/started-task.ts';
import { oneSecret } from '../../prompts/one-secret.ts';

export const command = defineCommand({
  path: ['database', 'create'],
  summary: 'Create a database',
  description:
    'Only apps in the same environment can connect to the database. Davit generates a password, unless you use --own-password. To show the password, use `davit database credentials`. Required role: admin.',
  arguments: {
    database: DATABASE,
    engine: { description: 'database engine: postgres, mysql, mariadb, redis or mongodb' },
  },
  options: {
    version: {
      short: 'v',
      value: 'version',
      description: 'version of the engine (default: first version in `davit database engines`)',
    },
    extension: {
      short: 'e',
      value: 'name',
      repeatable: true,
      description: 'extension to add, such as pgvector (PostgreSQL only)',
    },
    description: { value: 'text', description: 'description of the database' },
    username: { value: 'name', description: 'name of the database user (default: depends on the engine)' },
    databaseName: {
      value: 'name',
      description: 'name of the database in connection strings (default: its name in Davit, with "_" instead of "-")',
    },
    ...LIMITS,
    ownPassword: { description: 'prompt for a password, or read a password from stdin, instead of generating one' },
    allowConfig: { description: 'allow apps to run the CONFIG command (Redis only)' },
    expose: { value: 'port', description: 'port of the server on which the database is exposed (0: any free port)' },
    noWait: NO_WAIT,
  },
  examples: [
    { line: 'davit database create shop/production/db postgres', does: 'Create a PostgreSQL database' },
    {
      line: 'davit database create shop/production/db postgres -v 17 -e pgvector',
      does: 'Create a PostgreSQL 17 database with an extension',
    },
    {
      line: 'pass show shop | davit database create shop/production/db mysql --own-password',
      does: 'Create a MySQL database with a password from stdin',
    },
  ],
  async run(context) {
    const { client: connect, ask: prompter, args, options } = context;
    const { project, environment, database: name } = databaseOf(args.database);
    const body = {
      project,
      environment,
      name,
      engine: args.engine as 'postgres',
      extensions: options.extension,
      ...limitsPatch(options),
      ...(options.allowConfig && { allow_config: true }),
      ...(options.expose !== undefined && { expose: wholeNumber(options.expose, 'port') }),
      ...(options.version !== undefined && { version: options.version }),
      ...(options.description !== undefined && { description: options.description }),
      ...(options.username !== undefined && { username: options.username }),
      ...(options.databaseName !== undefined && { database: options.databaseName }),
      ...(options.ownPassword && { password: await oneSecret(prompter, 'Password of the database:') }),
    };
    const client = await connect();
    const task = await createdIn(client, { project, environment }, () => client.createDatabase({ body }));
    await startedTask(context, task, {
      noWait: options.noWait,
      sentence: `Created database ${args.database}. Attach the database to an app: davit database attach ${args.database} <app>`,
    });
  },
});
