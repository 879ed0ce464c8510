/** Endpoint that runs the client program of a database, in a terminal or with pipes. */
import { QueryBoolean } from '@davit/api';
import { z } from 'zod';
import { type DatabaseRow, databaseReference } from '../../db/tables/managed-database.ts';
import { openDatabaseShell } from '../../resources/databases/shell.ts';
import { TAKEN_OVER } from '../bind.ts';
import type { HttpDeps } from '../deps.ts';
import { absentEndpoint } from '../endpoint.ts';
import type { Endpoint } from '../exchange.ts';
import type { ShellConnections } from './connections.ts';
import { SHELL_QUERY, serveShell, sizeIn } from './serve.ts';

const DatabaseShellQuery = z
  .strictObject({ terminal: QueryBoolean.optional(), ...SHELL_QUERY })
  .refine(({ terminal, columns, rows }) => terminal !== false || (columns ?? rows) === undefined, {
    path: ['terminal'],
    error: 'must not be “false” with “columns” or “rows”',
  });

const ROUTE = 'GET /api/databases/{project}/{environment}/{database}/shell';

export function databaseShellEndpoint(core: HttpDeps, connections: ShellConnections): Endpoint {
  return {
    ...absentEndpoint(ROUTE, { access: 'caller', success: 101 }, () => TAKEN_OVER),
    operation: 'openDatabaseShell',
    /*
     * A database shell uses the login of the apps. The caller therefore needs the permission to read the password of
     * this login.
     */
    needs: { permission: 'secrets', scope: 'database' },
    query: DatabaseShellQuery,
    handle(exchange, ctx) {
      // These casts are safe, because `judgeRequest` has already validated the database and the query parameters.
      const row = exchange.target as DatabaseRow;
      const query = exchange.query as z.output<typeof DatabaseShellQuery>;
      const size = query.terminal === false ? null : sizeIn(query);
      return serveShell(core, connections, {
        ...({ exchange, ctx, noun: 'shell', closing: 'closeDatabaseShell' } as const),
        async open(signal) {
          const program = await openDatabaseShell(core, row, size, signal);
          return { program, facts: { database: databaseReference(row) } };
        },
      });
    },
  };
}
