import { DATABASE, databaseOf } from '../../arguments/database.ts';
import { defineCommand } from '../../declaration/command.ts';
import { openDatabaseShell } from '../../terminal/shell.ts';

export const command = defineCommand({
  path: ['database', 'shell'],
  summary: 'Open the client program of a database',
  description:
    'Runs a client program in the container of the database: psql, mariadb, mysql, redis-cli or mongosh. The client signs in with the user name and password of the apps. In a terminal, the client receives Ctrl-C. The client can also read its input from a pipe or a file. The exit code is the exit code of the client. Required permission: read secrets.',
  arguments: { database: DATABASE },
  examples: [
    { line: 'davit database shell shop/production/db', does: 'Open the client in a terminal' },
    { line: "echo 'select 1;' | davit database shell shop/production/db", does: 'Run a statement' },
    { line: 'cat report.sql | davit database shell shop/production/db', does: 'Run the statements of a file' },
  ],
  async run(ctx) {
    return openDatabaseShell(ctx, databaseOf(ctx.args.database));
  },
});
