import { defineCommand } from '../../declaration/command.ts';
import { engineList } from '../../views/database.ts';

export const command = defineCommand({
  path: ['database', 'engines'],
  summary: 'List the database engines and their versions',
  examples: [{ line: 'davit database engines', does: 'List the engines for `davit database create`' }],
  async run({ client, out }) {
    out.list(await (await client()).listDatabaseEngines(), engineList);
  },
});
