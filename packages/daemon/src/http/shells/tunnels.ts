/**
 * Endpoints for TCP connections to a database or an app. Each TCP connection uses one WebSocket. Binary messages
 * contain data. The text message `{"end": true}` ends one direction. The target address comes from the database of
 * Davit, so a client can never choose an address.
 */
import { queryInteger } from '@davit/api';
import { z } from 'zod';
import type { AppTarget } from '../../app-spec/app-target.ts';
import { type DatabaseRow, databaseReference } from '../../db/tables/managed-database.ts';
import { openDatabaseTunnel } from '../../resources/databases/tunnel.ts';
import { openAppTunnel } from '../../resources/shells/app-tunnel.ts';
import { TAKEN_OVER } from '../bind.ts';
import type { HttpDeps } from '../deps.ts';
import { absentEndpoint } from '../endpoint.ts';
import type { Endpoint } from '../exchange.ts';
import type { ShellConnections } from './connections.ts';
import { serveShell } from './serve.ts';

const DATABASE_ROUTE = 'GET /api/databases/{project}/{environment}/{database}/tunnel';
const APP_ROUTE = 'GET /api/apps/{project}/{environment}/{app}/tunnel';
const KIND = { noun: 'tunnel', closing: null } as const;

const AppTunnelQuery = z.strictObject({
  replica: z.string().max(63).optional(),
  port: queryInteger(1, 65_535).optional(),
});

export function tunnelEndpoints(core: HttpDeps, connections: ShellConnections): Endpoint[] {
  return [databaseTunnelEndpoint(core, connections), appTunnelEndpoint(core, connections)];
}

function databaseTunnelEndpoint(core: HttpDeps, connections: ShellConnections): Endpoint {
  return {
    ...absentEndpoint(DATABASE_ROUTE, { access: 'caller', success: 101 }, () => TAKEN_OVER),
    operation: 'openDatabaseTunnel',
    needs: { permission: 'secrets', scope: 'database' },
    query: z.strictObject({}),
    handle(exchange, ctx) {
      // This cast is safe, because `judgeRequest` has already found the database.
      const row = exchange.target as DatabaseRow;
      return serveShell(core, connections, {
        ...{ exchange, ctx, ...KIND },
        async open(signal) {
          return { program: await openDatabaseTunnel(core, row, signal), facts: { database: databaseReference(row) } };
        },
      });
    },
  };
}

function appTunnelEndpoint(core: HttpDeps, connections: ShellConnections): Endpoint {
  return {
    ...absentEndpoint(APP_ROUTE, { access: 'caller', success: 101 }, () => TAKEN_OVER),
    operation: 'openAppTunnel',
    needs: { permission: 'operate', scope: 'app' },
    query: AppTunnelQuery,
    handle(exchange, ctx) {
      // These casts are safe, because `judgeRequest` has already validated the app and the query parameters.
      const app = exchange.target as AppTarget;
      const { replica, port } = exchange.query as z.output<typeof AppTunnelQuery>;
      return serveShell(core, connections, {
        ...{ exchange, ctx, ...KIND },
        async open(signal) {
          const opened = await openAppTunnel(core, app, { replica, port }, signal);
          return { program: opened.program, facts: { app: app.reference, replica: opened.replica } };
        },
      });
    },
  };
}
