import { DATABASE, databaseOf } from '../../arguments/database.ts';
import { defineCommand } from '../../declaration/command.ts';
import { backupList } from '../../views/backup.ts';

export const command = defineCommand({
  path: ['backup', 'list'],
  summary: 'List backups, newest first',
  arguments: { database: { ...DATABASE, optional: true } },
  options: { limit: { short: 'n', value: 'n', description: 'how many; 50 unless given, 100 at most' } },
  examples: [
    { line: 'davit backup list', does: 'of all databases, those that are gone too' },
    { line: 'davit backup list shop/production/db', does: 'of one' },
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
