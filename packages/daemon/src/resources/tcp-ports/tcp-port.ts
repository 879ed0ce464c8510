/**
 * API functions for TCP ports that apps publish on the server. Clients connect without HAProxy, so apps can use
 * protocols other than HTTP.
 */
import { DavitError, type TcpPort, type TcpPortCreate, timestamp } from '@davit/api';
import type { AppTarget } from '../../app-spec/app-target.ts';
import type { OpContext } from '../../auth/context.ts';
import { currentApp } from '../../authorization/lookup.ts';
import type { Reader } from '../../db/store.ts';
import {
  countTcpPorts,
  deleteTcpPort,
  insertTcpPort,
  type TcpPortRow,
  tcpPortById,
  tcpPortsOfApp,
} from '../../db/tables/tcp-port.ts';
import { mapPage, numberKey, type Page, type PageQuery, pageOf } from '../../input/paging.ts';
import { byPathNumber } from '../../input/path-number.ts';
import { demandOneReplica } from '../apps/single-replica.ts';
import type { TcpPortsDeps } from './deps.ts';
import { demandFreePort, demandSilentPort, firstFreePort } from './host-port.ts';

/** Range of server ports. Davit chooses a port from this range if the request contains no port. */
const GIVEN = { first: 17_000, last: 17_999 };

/**
 * Maximum number of TCP ports per app. There is also a maximum per project, so that one project cannot use all ports of
 * the range.
 */
const MOST = 32;
const MOST_OF_PROJECT = 128;

/** Returns the TCP ports that an app publishes on the server, sorted by the number of the published port. */
export function listTcpPorts(
  { store }: TcpPortsDeps,
  _ctx: OpContext,
  app: AppTarget,
  query: PageQuery = {},
): Page<TcpPort> {
  const page = pageOf(tcpPortsOfApp(store, app.id), (row) => numberKey(row.host_port), query);
  return mapPage(page, present);
}

/** @throws DavitError not_found if the app has no TCP port with this id */
export function readTcpPort(
  { store }: TcpPortsDeps,
  _ctx: OpContext,
  app: AppTarget,
  number: string | undefined,
): TcpPort {
  return present(ownPort(store, app, number));
}

/**
 * Reserves a port of the server for an app. The app's next deployment publishes the port.
 * @throws DavitError conflict if the port is taken, a limit is reached, or the app has several replicas
 */
export async function addTcpPort(
  core: TcpPortsDeps,
  ctx: OpContext,
  app: AppTarget,
  input: TcpPortCreate,
): Promise<TcpPort> {
  demandOneReplica(currentApp(core.store, app.id), 'A published port');
  const { container_port, host_port } = input;
  if (host_port !== undefined) {
    demandFreePort(core, core.store, ctx, host_port);
    await demandSilentPort(ctx, host_port);
    return reserve(core, ctx, app, container_port, host_port);
  }
  return reserve(core, ctx, app, container_port, await firstFreePort(core, GIVEN, 'host_port'));
}

/**
 * Removes a TCP port from an app. The app's running containers publish the port until the next deployment.
 * @throws DavitError not_found
 */
export function removeTcpPort(core: TcpPortsDeps, _ctx: OpContext, app: AppTarget, number: string | undefined): void {
  core.store.tx((tx) => deleteTcpPort(tx, ownPort(tx, app, number)));
}

function ownPort(db: Reader, app: AppTarget, number: string | undefined): TcpPortRow {
  const row = byPathNumber(number, (id) => tcpPortById(db, id));
  if (row?.app_id !== app.id)
    throw new DavitError('not_found', 'The app does not have this TCP port. List its TCP ports.');
  return row;
}

function reserve(
  core: TcpPortsDeps,
  ctx: OpContext,
  app: AppTarget,
  container_port: number,
  host_port: number,
): TcpPort {
  return core.store.tx((tx) => {
    demandOneReplica(currentApp(tx, app.id), 'A published port');
    refuseMore(tx, app);
    demandFreePort(core, tx, ctx, host_port);
    const row = { app_id: app.id, container_port, host_port, created_at: core.now() };
    const id = insertTcpPort(tx, row);
    core.store.trail.about({ target: `${app.reference}/tcp-ports/${id}`, projectId: app.project.id });
    return present({ ...row, id });
  });
}

function refuseMore(db: Reader, app: AppTarget): void {
  if (countTcpPorts(db, app.project.id) >= MOST_OF_PROJECT)
    throw new DavitError(
      'conflict',
      `The project has ${MOST_OF_PROJECT} TCP ports, which is the limit. Remove one first.`,
    );
  if (tcpPortsOfApp(db, app.id).length < MOST) return;
  throw new DavitError('conflict', `The app has ${MOST} TCP ports, which is the limit. Remove one first.`);
}

function present({ id, container_port, host_port, created_at }: TcpPortRow): TcpPort {
  return { id, container_port, host_port, created_at: timestamp(created_at) };
}
