import { APP_FIRST, appOf } from '../../app-argument.ts';
import { ATTACHMENT_CHANGE, changedAttachment } from '../../changed-attachment.ts';
import { defineCommand } from '../../command.ts';
import { DATABASE, databaseOf } from '../../database-argument.ts';
import { changeQuery } from '../../deploy-plan.ts';
import { CliError } from '../../exit.ts';

export const command = defineCommand({
  path: ['database', 'attach'],
  summary: 'Give a database to an app of its environment',
  description: 'By variables such as DATABASE_URL, from the next deploy on.',
  arguments: { database: DATABASE, app: APP_FIRST },
  options: {
    prefix: { value: 'prefix', description: 'what the variables begin with, such as CACHE_' },
    ...ATTACHMENT_CHANGE,
  },
  examples: [
    { line: 'davit database attach shop/production/db shop/production/web --deploy', does: 'and use it at once' },
  ],
  async run(context) {
    const { client, args, options } = context;
    const { app, ...place } = await appOf(args.app, context);
    const params = { ...databaseOf(args.database), app };
    if (params.project !== place.project || params.environment !== place.environment)
      throw new CliError(
        'usage',
        `${args.app} is in another environment than ${args.database}: apps reach only databases of their own.`,
      );
    const query = changeQuery(options);
    const body = { ...(options.prefix !== undefined && { prefix: options.prefix }) };
    const answer = await (await client()).attachDatabase({ params, query, body });
    await changedAttachment(context, answer, { ...options, sentence: `${args.app} has ${args.database}` });
  },
});
