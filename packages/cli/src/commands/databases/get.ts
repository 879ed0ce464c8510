import { DATABASE, databaseOf } from '../../arguments/database.ts';
import { defineCommand } from '../../declaration/command.ts';
import { databaseFields } from '../../views/database.ts';

export const command = defineCommand({
  path: ['database', 'get'],
  summary: 'Show a database',
  arguments: { database: DATABASE },
  options: { size: { description: 'show the size of the data; the command takes some seconds longer' } },
  examples: [
    { line: 'davit database get shop/production/db', does: 'Show the address of a database and the attached apps' },
  ],
  async run({ client, out, args, options }) {
    const query = options.size ? { sizes: 'true' as const } : {};
    const database = await (await client()).getDatabase({ params: databaseOf(args.database), query });
    out.record(database, databaseFields(database), database.reference);
  },
});
