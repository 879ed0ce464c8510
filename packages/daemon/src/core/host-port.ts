/** The ports of the machine that lead past the proxy, to whatever has one: one home for who has which. */
import { createServer, type ListenOptions } from 'node:net';
import { DavitError } from '@davit/api';
import type { OpContext } from '../context.ts';
import { databaseByPort, databaseReference } from '../store/managed-database.ts';
import { storeByPort } from '../store/managed-store.ts';
import type { Reader } from '../store/store.ts';
import { tcpPortByHostPort } from '../store/tcp-port.ts';
import type { Core } from './core.ts';
import { seenReference, sees } from './lookup.ts';

/**
 * The first port of a range that is nobody's and silent, as it is now: reserve it with {@link demandFreePort} in the
 * transaction of its record.
 * @param field how the caller names one
 * @throws DavitError conflict when there is none
 */
export async function firstFreePort(
  core: Core,
  range: { first: number; last: number },
  field: string,
): Promise<number> {
  for (let port = range.first; port <= range.last; port++) {
    if (!isReserved(core, core.store, port) && (await isSilent(port)) && !isReserved(core, core.store, port))
      return port;
  }
  const message = `None of the ports from ${range.first} to ${range.last} is free: name another one as ${field}.`;
  throw new DavitError('conflict', message);
}

/** @throws DavitError conflict for one that somebody has, or the instance itself */
export function demandFreePort(core: Core, db: Reader, { actor }: OpContext, port: number): void {
  if (ownPorts(core).includes(port))
    throw new DavitError('conflict', `Port ${port} is the instance’s own: choose another.`);
  if (!isReserved(core, db, port)) return;
  const app = tcpPortByHostPort(db, port);
  const database = databaseByPort(db, port);
  const owner =
    app !== undefined
      ? seenReference(db, actor, app.app_id)
      : database && sees(actor, database.project_id)
        ? databaseReference(database)
        : undefined;
  const whose = owner === undefined ? 'is taken' : `belongs to ${owner}`;
  throw new DavitError('conflict', `Port ${port} ${whose}: choose another.`);
}

/** @throws DavitError conflict when something that is not ours listens there */
export async function demandSilentPort(port: number): Promise<void> {
  if (!(await isSilent(port)))
    throw new DavitError('conflict', `Something on this machine listens on port ${port} already: choose another.`);
}

function isReserved(core: Core, db: Reader, port: number): boolean {
  return (
    ownPorts(core).includes(port) ||
    tcpPortByHostPort(db, port) !== undefined ||
    databaseByPort(db, port) !== undefined ||
    storeByPort(db, port) !== null
  );
}

function ownPorts({ facts }: Core): number[] {
  return [...Object.values(facts.ports), facts.apiAddress.port];
}

/** Whether nothing listens on a port of this machine, on any address: found out by listening there for a moment. */
async function isSilent(port: number): Promise<boolean> {
  return (await canListen({ port, host: '0.0.0.0' })) && canListen({ port, host: '::', ipv6Only: true });
}

function canListen(where: ListenOptions): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const server = createServer();
  // A machine without IPv6 has nobody who listens there.
  server.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code !== 'EADDRINUSE' && code !== 'EACCES'));
  server.listen({ ...where, exclusive: true }, () => server.close(() => resolve(true)));
  return promise;
}
