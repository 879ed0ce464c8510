import { databaseOf } from '../../arguments/database.ts';
import { defineCommand } from '../../declaration/command.ts';
import { backupList } from '../../views/backup.ts';

export const command = defineCommand({
  path: ['backup', 'list'],
  summary: 'List backups, newest first',
  arguments: {
    database: { description: 'database, as project/environment/name (default: all databases)', optional: true },
  },
  options: { limit: { short: 'n', value: 'n', description: 'maximum number of results (default: 50, maximum: 100)' } },
  examples: [
    { line: 'davit backup list', does: 'List the backups of all databases, including deleted databases' },
    { line: 'davit backup list shop/production/db', does: 'List the backups of one database' },
  ],
  async run({ client, out, args, options }) {
    const api = await client();
    const { database } = args;
    const query = options.limit === undefined ? {} : { limit: options.limit };
    const backups =
      database === undefined
        ? await api.listBackups({ query })
        : await api.listDatabaseBackups({ params: databaseOf(database), query });
    out.list(backups, backupList);
  },
});
