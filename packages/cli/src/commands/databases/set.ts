import { DATABASE, databaseOf } from '../../arguments/database.ts';
import { LIMITS, limitsPatch } from '../../arguments/limits.ts';
import { onOrOff } from '../../arguments/values.ts';
import { defineCommand } from '../../declaration/command.ts';
import { CliError } from '../../errors/exit.ts';

export const command = defineCommand({
  path: ['database', 'set'],
  summary: 'Change the description, limits or permissions of a database',
  description: 'Changes take effect immediately, without a restart of the database.',
  arguments: { database: DATABASE },
  options: {
    description: { value: 'text', description: 'description of the database (empty: no description)' },
    ...LIMITS,
    allowConfig: { value: 'on|off', description: 'whether apps can run the CONFIG command (Redis only)' },
  },
  examples: [
    { line: 'davit database set shop/production/db --memory 1g', does: 'Change the memory limit of a database' },
  ],
  async run({ client, out, args, options: { description, allowConfig, ...given } }) {
    const body = {
      ...(description !== undefined && { description: description || null }),
      ...(allowConfig !== undefined && { allow_config: onOrOff(allowConfig) }),
      ...limitsPatch(given),
    };
    if (Object.keys(body).length === 0)
      throw new CliError('usage', 'Nothing to change: specify --description, --cpu, --memory or --allow-config.');
    const database = await (await client()).patchDatabase({ params: databaseOf(args.database), body });
    out.done(database, `Changed database ${database.reference}.`, database.reference);
  },
});
