import { DATABASE, databaseOf } from '../../arguments/database.ts';
import { defineCommand } from '../../declaration/command.ts';
import { credentialFields } from '../../views/database.ts';

export const command = defineCommand({
  path: ['database', 'credentials'],
  summary: 'Show how to connect to a database, with its password',
  description: 'With --quiet, prints only the connection URL. Required permission: read secrets.',
  arguments: { database: DATABASE },
  examples: [
    {
      line: 'davit database credentials shop/production/db',
      does: 'Show the connection URL and the password of a database',
    },
  ],
  async run({ client, out, args }) {
    const credentials = await (await client()).getDatabaseCredentials({ params: databaseOf(args.database) });
    out.record(credentials, credentialFields(credentials), credentials.exposed?.url ?? credentials.url);
  },
});
