import { DATABASE, databaseOf } from '../../arguments/database.ts';
import { LIMITS, limitsPatch } from '../../arguments/limits.ts';
import { wholeNumber } from '../../arguments/values.ts';
import { defineCommand } from '../../declaration/command.ts';
import { NO_WAIT } from '../../progress/started-deployment.ts';
import { startedTask } from '../../progress/started-task.ts';
import { oneSecret } from '../../prompts/one-secret.ts';

export const command = defineCommand({
  path: ['database', 'create'],
  summary: 'Create a database',
  description:
    'It is reached by the apps of its environment. Its password is made unless one is given, and told by «davit database credentials». Admins only.',
  arguments: { database: DATABASE, engine: { description: 'postgres, mysql, mariadb, redis or mongodb' } },
  options: {
    version: { short: 'v', value: 'version', description: 'absent: the one that the instance offers first' },
    extension: { short: 'e', value: 'name', repeatable: true, description: 'of PostgreSQL, such as pgvector' },
    description: { value: 'text', description: 'for people' },
    username: { value: 'name', description: 'absent: the engine’s own' },
    databaseName: { value: 'name', description: 'absent: the name, with «_» for «-»' },
    ...LIMITS,
    ownPassword: { description: 'ask for its password, or read it from stdin, instead of making one' },
    allowConfig: { description: 'allow the login of apps to use CONFIG (Redis only)' },
    expose: { value: 'port', description: 'the port of the machine that leads to it from outside; 0: a free one' },
    noWait: NO_WAIT,
  },
  examples: [
    { line: 'davit database create shop/production/db postgres', does: 'a PostgreSQL' },
    {
      line: 'davit database create shop/production/db postgres -v 17 -e pgvector',
      does: 'of a version, with an extension',
    },
    {
      line: 'pass show shop | davit database create shop/production/db mysql --own-password',
      does: 'with a password of one’s own',
    },
  ],
  async run(context) {
    const { client, ask, args, options } = context;
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
      ...(options.ownPassword && { password: await oneSecret(ask, 'Its password:') }),
    };
    const task = await (await client()).createDatabase({ body });
    await startedTask(context, task, {
      noWait: options.noWait,
      sentence: `Database ${args.database} runs: «davit database attach ${args.database} <app>» gives it to an app.`,
    });
  },
});
