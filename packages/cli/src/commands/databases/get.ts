import { DATABASE, databaseOf } from '../../arguments/database.ts';
import { defineCommand } from '../../declaration/command.ts';
import { databaseFields } from '../../views/database.ts';

export const command = defineCommand({
  path: ['database', 'get'],
  summary: 'Show a database',
  arguments: { database: DATABASE },
  options: { size: { description: 'measure its data too, which may take seconds' } },
  examples: [{ line: 'davit database get shop/production/db', does: 'where it is, and which apps have it' }],
  async run({ client, out, args, options }) {
    const query = options.size ? { sizes: 'true' as const } : {};
    const database = await (await client()).getDatabase({ params: databaseOf(args.database), query });
    out.record(database, databaseFields(database), database.reference);
  },
});
