/**
 * Checks whether ports of the server are free. Apps, databases and object stores publish such ports directly, without
 * HAProxy.
 */
import { createServer, type ListenOptions } from 'node:net';
import { DavitError } from '@davit/api';
import type { OpContext } from '../../auth/context.ts';
import { seenReference, sees } from '../../authorization/lookup.ts';
import type { Reader } from '../../db/store.ts';
import { type DatabaseRow, databaseByPort, databaseReference } from '../../db/tables/managed-database.ts';
import { storeByPort } from '../../db/tables/managed-store.ts';
import { tcpPortByHostPort } from '../../db/tables/tcp-port.ts';
import type { TcpPortsDeps } from './deps.ts';

/**
 * Returns the first port of a range that is not reserved and on which no program listens. Another request may reserve
 * the port later. So call {@link demandFreePort} in the SQLite transaction that reserves the port.
 * @param field API field in which users can choose a port, for the error message
 * @throws DavitError conflict if no port is free
 */
export async function firstFreePort(
  core: TcpPortsDeps,
  range: { first: number; last: number },
  field: string,
): Promise<number> {
  for (let port = range.first; port <= range.last; port++) {
    const isFree = () => portHolder(core, core.store, port) === null;
    if (isFree() && (await isSilent(port)) && isFree()) return port;
  }
  const message = `No port from ${range.first} to ${range.last} is free. Set “${field}” to a port outside this range.`;
  throw new DavitError('conflict', message);
}

/** App, database, object store or part of the instance that uses a port of the server. */
export type PortHolder =
  | { kind: 'instance' | 'store' }
  | { kind: 'app'; appId: number }
  | { kind: 'database'; row: DatabaseRow };

/**
 * Returns the app, database, object store or part of the instance that uses a port of the server. Returns `null` if
 * neither the database nor the configuration contains the port.
 */
export function portHolder({ facts }: TcpPortsDeps, db: Reader, port: number): PortHolder | null {
  if ([...Object.values(facts.ports), facts.apiAddress.port].includes(port)) return { kind: 'instance' };
  const app = tcpPortByHostPort(db, port);
  if (app !== undefined) return { kind: 'app', appId: app.app_id };
  const database = databaseByPort(db, port);
  if (database !== undefined) return { kind: 'database', row: database };
  return storeByPort(db, port) === null ? null : { kind: 'store' };
}

/** @throws DavitError conflict if an app, a database, an object store or the instance itself uses the port */
export function demandFreePort(core: TcpPortsDeps, db: Reader, { actor }: OpContext, port: number): void {
  const holder = portHolder(core, db, port);
  if (holder === null) return;
  throw new DavitError('conflict', takenPort(db, actor, { port, holder }));
}

/**
 * Returns the error message for a port that is in use. The message names the app or database only if the user can see
 * it.
 */
export function takenPort(
  db: Reader,
  actor: OpContext['actor'],
  { port, holder }: { port: number; holder: PortHolder },
): string {
  if (holder.kind === 'instance' && actor.projects === null)
    return `Davit itself uses port ${port}. Choose another port.`;
  const app = holder.kind === 'app' ? seenReference(db, actor, holder.appId) : undefined;
  const database =
    holder.kind === 'database' && sees(actor, holder.row.project_id) ? databaseReference(holder.row) : undefined;
  const owner = app ?? database;
  return owner === undefined ? portInUse(port) : `${owner} uses port ${port}. Choose another port.`;
}

/**
 * Returns an error message that does not say which program uses the port. Users with access to only some projects must
 * not find out which programs run on the server.
 */
function portInUse(port: number): string {
  return `Port ${port} is in use. Choose another port.`;
}

/** @throws DavitError conflict if another program listens on the port */
export async function demandSilentPort({ actor }: Pick<OpContext, 'actor'>, port: number): Promise<void> {
  if (await isSilent(port)) return;
  const message =
    actor.projects === null
      ? `Another program on this server uses port ${port}. Choose another port.`
      : portInUse(port);
  throw new DavitError('conflict', message);
}

/**
 * Returns `false` if a program listens on the port, on any IP address of this server. To find out, the function briefly
 * listens on the port.
 */
async function isSilent(port: number): Promise<boolean> {
  return (await canListen({ port, host: '0.0.0.0' })) && canListen({ port, host: '::', ipv6Only: true });
}

function canListen(where: ListenOptions): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const server = createServer();
  // Only `EADDRINUSE` and `EACCES` mean that the port is not free. A server without IPv6 causes another error.
  server.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code !== 'EADDRINUSE' && code !== 'EACCES'));
  server.listen({ ...where, exclusive: true }, () => server.close(() => resolve(true)));
  return promise;
}
