import { APP_FIRST, appOf } from '../../arguments/app.ts';
import { DATABASE, databaseOf } from '../../arguments/database.ts';
import { defineCommand } from '../../declaration/command.ts';
import { ATTACHMENT_CHANGE, changedAttachment } from '../../progress/changed-attachment.ts';
import { changeQuery } from '../../views/deploy-plan.ts';

export const command = defineCommand({
  path: ['database', 'detach'],
  summary: 'Detach a database from an app',
  description: 'The next deployment removes the variables of the database from the app. The database keeps its data.',
  arguments: { database: DATABASE, app: APP_FIRST },
  options: ATTACHMENT_CHANGE,
  examples: [
    { line: 'davit database detach shop/production/db shop/production/web', does: 'Detach a database from an app' },
  ],
  async run(context) {
    const { client, args, options } = context;
    const { app } = await appOf(args.app, context);
    const query = changeQuery(options);
    const answer = await (await client()).detachDatabase({ params: { ...databaseOf(args.database), app }, query });
    await changedAttachment(context, answer, { ...options, sentence: `${args.database} is detached from ${args.app}` });
  },
});
