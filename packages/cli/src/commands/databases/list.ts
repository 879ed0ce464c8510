import { defineCommand } from '../../declaration/command.ts';
import { databaseList, trashedDatabaseList } from '../../views/database.ts';

const WHY_KEPT =
  'Davit keeps deleted databases so that you can restore them (setting databases.trash_days). Restore one: davit database restore <ID>';

export const command = defineCommand({
  path: ['database', 'list'],
  summary: 'List the databases',
  options: { trash: { description: 'list only the databases in the trash' } },
  examples: [{ line: 'davit database list', does: 'List all databases' }],
  async run({ client, out, options }) {
    const api = await client();
    if (!options.trash) return out.list(await api.listDatabases(), databaseList);
    const trashed = await api.listTrashedDatabases();
    out.list(trashed, trashedDatabaseList);
    if (trashed.length > 0) out.note(WHY_KEPT);
  },
});
