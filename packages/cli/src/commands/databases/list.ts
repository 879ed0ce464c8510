import { defineCommand } from '../../declaration/command.ts';
import { databaseList } from '../../views/database.ts';

export const command = defineCommand({
  path: ['database', 'list'],
  summary: 'List the databases',
  options: { trash: { description: 'list only the databases in the trash' } },
  examples: [{ line: 'davit database list', does: 'List all databases' }],
  async run({ client, out, options }) {
    const api = await client();
    out.list(options.trash ? await api.listTrashedDatabases() : await api.listDatabases(), databaseList);
  },
});
