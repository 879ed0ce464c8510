import { defineCommand } from '../../command.ts';
import { DATABASE, databaseOf } from '../../database-argument.ts';
import { CliError } from '../../exit.ts';
import { LIMITS, limitsOf } from '../../limits-options.ts';

export const command = defineCommand({
  path: ['database', 'set'],
  summary: 'Change a database’s description or limits',
  description: 'Limits are in force at once, without a restart.',
  arguments: { database: DATABASE },
  options: {
    description: { value: 'text', description: 'for people; empty: none' },
    ...LIMITS,
  },
  examples: [{ line: 'davit database set shop/production/db --memory 1g', does: 'more room' }],
  async run({ client, out, args, options: { description, ...given } }) {
    const body = { ...(description !== undefined && { description: description || null }), ...limitsOf(given) };
    if (Object.keys(body).length === 0)
      throw new CliError('usage', 'There is nothing to change: give --description, --cpu or --memory.');
    const database = await (await client()).patchDatabase({ params: databaseOf(args.database), body });
    out.done(database, `Database ${database.reference} is changed.`, database.reference);
  },
});
