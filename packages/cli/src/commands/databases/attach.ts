import { APP_FIRST, appOf } from '../../arguments/app.ts';
import { DATABASE, databaseOf } from '../../arguments/database.ts';
import { defineCommand } from '../../declaration/command.ts';
import { CliError } from '../../errors/exit.ts';
import { ATTACHMENT_CHANGE, changedAttachment } from '../../progress/changed-attachment.ts';
import { changeQuery } from '../../views/deploy-plan.ts';

export const command = defineCommand({
  path: ['database', 'attach'],
  summary: 'Attach a database to an app',
  description:
    'The app gets the address and the credentials of the database as variables, such as DATABASE_URL. The change takes effect with the next deployment, or immediately with --deploy.',
  arguments: { database: DATABASE, app: APP_FIRST },
  options: {
    prefix: { value: 'prefix', description: 'prefix for the names of the variables that the app gets, such as CACHE_' },
    ...ATTACHMENT_CHANGE,
  },
  examples: [
    {
      line: 'davit database attach shop/production/db shop/production/web --deploy',
      does: 'Attach a database and deploy the app',
    },
  ],
  async run(context) {
    const { client, args, options } = context;
    const { app, ...appEnvironment } = await appOf(args.app, context);
    const params = { ...databaseOf(args.database), app };
    if (params.project !== appEnvironment.project || params.environment !== appEnvironment.environment)
      throw new CliError(
        'usage',
        `Cannot attach ${args.database} to ${args.app}: the app is in another environment. Use a database in the environment of the app.`,
      );
    const query = changeQuery(options);
    const body = { ...(options.prefix !== undefined && { prefix: options.prefix }) };
    const answer = await (await client()).attachDatabase({ params, query, body });
    await changedAttachment(context, answer, { ...options, sentence: `${args.database} is attached to ${args.app}` });
  },
});
