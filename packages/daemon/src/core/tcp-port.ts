/** Ports of the machine that lead to an app past the proxy: for what is not HTTP. */
import { createServer, type ListenOptions } from 'node:net';
import { DavitError, type TcpPort, type TcpPortCreate, timestamp } from '@davit/api';
import type { OpContext } from '../context.ts';
import type { AppTarget } from '../release/app-target.ts';
import type { Reader } from '../store/store.ts';
import {
  deleteTcpPort,
  insertTcpPort,
  type TcpPortRow,
  tcpPortByHostPort,
  tcpPortById,
  tcpPortsOfApp,
} from '../store/tcp-port.ts';
import type { Core } from './core.ts';
import { byPathNumber, currentApp, seenReference } from './lookup.ts';
import { demandOneInstance } from './one-instance.ts';
import { mapPage, numberKey, type Page, type PageAsk, pageOf } from './paging.ts';

/** From which a port is given where none is asked for. */
const GIVEN = { first: 17_000, last: 17_999 };

/** So that no app takes all of them. */
const MOST = 32;

/** By the machine's port. */
export function listTcpPorts({ store }: Core, _ctx: OpContext, app: AppTarget, ask: PageAsk = {}): Page<TcpPort> {
  const page = pageOf(tcpPortsOfApp(store, app.id), (row) => numberKey(row.host_port), ask);
  return mapPage(page, present);
}

/** @throws DavitError not_found when the app has no port of this number */
export function readTcpPort({ store }: Core, _ctx: OpContext, app: AppTarget, number: string | undefined): TcpPort {
  return present(ownPort(store, app, number));
}

/**
 * Reserves a port of the machine for an app, whose next deploy publishes it.
 * @throws DavitError conflict for one that is taken or the instance's own, when none is left, and for an app of several
 * instances
 */
export async function addTcpPort(core: Core, ctx: OpContext, app: AppTarget, input: TcpPortCreate): Promise<TcpPort> {
  demandOneInstance(currentApp(core.store, app.id), 'A port of the machine');
  const { container_port, host_port } = input;
  if (host_port !== undefined) {
    demandFree(core, core.store, ctx, host_port);
    await demandSilent(host_port);
    return reserve(core, ctx, app, container_port, host_port);
  }
  for (let port = GIVEN.first; port <= GIVEN.last; port++) {
    if (!isReserved(core, core.store, port) && (await isSilent(port)) && !isReserved(core, core.store, port))
      return reserve(core, ctx, app, container_port, port);
  }
  throw new DavitError(
    'conflict',
    `None of the ports from ${GIVEN.first} to ${GIVEN.last} is free: name another one as host_port.`,
  );
}

/** What runs keeps it until the next deploy. @throws DavitError not_found */
export function removeTcpPort(core: Core, _ctx: OpContext, app: AppTarget, number: string | undefined): void {
  core.store.tx((tx) => deleteTcpPort(tx, ownPort(tx, app, number)));
}

function ownPort(db: Reader, app: AppTarget, number: string | undefined): TcpPortRow {
  const row = byPathNumber(number, (id) => tcpPortById(db, id));
  if (row?.app_id !== app.id) throw new DavitError('not_found', 'The app has no such port: list its TCP ports.');
  return row;
}

function reserve(core: Core, ctx: OpContext, app: AppTarget, container_port: number, host_port: number): TcpPort {
  return core.store.tx((tx) => {
    demandOneInstance(currentApp(tx, app.id), 'A port of the machine');
    refuseMore(tx, app);
    demandFree(core, tx, ctx, host_port);
    const row = { app_id: app.id, container_port, host_port, created_at: core.now() };
    const id = insertTcpPort(tx, row);
    core.store.trail.about({ target: `${app.reference}/tcp-ports/${id}`, projectId: app.project.id });
    return present({ ...row, id });
  });
}

function refuseMore(db: Reader, app: AppTarget): void {
  if (tcpPortsOfApp(db, app.id).length < MOST) return;
  throw new DavitError('conflict', `The app has ${MOST} ports, which is as many as there may be: remove one first.`);
}

function isReserved(core: Core, db: Reader, port: number): boolean {
  return ownPorts(core).includes(port) || tcpPortByHostPort(db, port) !== undefined;
}

function demandFree(core: Core, db: Reader, { actor }: OpContext, port: number): void {
  if (ownPorts(core).includes(port))
    throw new DavitError('conflict', `Port ${port} is the instance’s own: choose another.`);
  const taken = tcpPortByHostPort(db, port);
  if (taken === undefined) return;
  const owner = seenReference(db, actor, taken.app_id);
  const whose = owner === undefined ? 'is taken' : `belongs to ${owner}`;
  throw new DavitError('conflict', `Port ${port} ${whose}: choose another.`);
}

async function demandSilent(port: number): Promise<void> {
  if (!(await isSilent(port)))
    throw new DavitError('conflict', `Something on this machine listens on port ${port} already: choose another.`);
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

function present({ id, container_port, host_port, created_at }: TcpPortRow): TcpPort {
  return { id, container_port, host_port, created_at: timestamp(created_at) };
}
