import { defineCommand } from '../../command.ts';
import { DATABASE, databaseOf } from '../../database-argument.ts';
import { backupList } from '../../views/backup.ts';

export const command = defineCommand({
  path: ['backup', 'list'],
  summary: 'List backups, newest first',
  arguments: { database: { ...DATABASE, optional: true } },
  examples: [
    { line: 'davit backup list', does: 'of all databases, those that are gone too' },
    { line: 'davit backup list shop/production/db', does: 'of one' },
  ],
  async run({ client, out, args }) {
    const api = await client();
    const { database } = args;
    const backups =
      database === undefined
        ? await api.listBackups()
        : await api.listDatabaseBackups({ params: databaseOf(database) });
    out.list(backups, backupList);
  },
});
