/** The hosts that an app is given by hand. They act at once: where requests go needs no release. */
import { isIPv4 } from 'node:net';
import { DavitError, type Domain, type DomainCreate, type DomainPatch, timestamp } from '@davit/api';
import type { OpContext } from '../context.ts';
import { ProxyUnavailable } from '../proxy/proxy.ts';
import { isDefaultHost, normalizeHost } from '../proxy/routes.ts';
import type { AppTarget } from '../release/app-target.ts';
import { routeTable } from '../release/routing.ts';
import {
  changeDomain,
  type DomainRow,
  deleteDomain,
  domainByHost,
  domainById,
  domainsOfApp,
  insertDomain,
} from '../store/domain.ts';
import { slotFor, slotsOfApp } from '../store/route.ts';
import type { Reader, Tx } from '../store/store.ts';
import type { Core } from './core.ts';
import { byPathNumber, currentApp, seenReference } from './lookup.ts';
import { mapPage, type Page, type PageAsk, pageOf } from './paging.ts';

/** Each is told with every read of its app. */
const MOST = 1_000;

/** An app keeps the backends that it ever had, so that they are bounded apart from its hosts. */
const MOST_TARGETS = 64;

/** By host. */
export function listDomains({ store }: Core, _ctx: OpContext, app: AppTarget, ask: PageAsk = {}): Page<Domain> {
  return mapPage(
    pageOf(domainsOfApp(store, app.id), (row) => row.host, ask),
    presentDomain,
  );
}

/** @throws DavitError not_found when the app has no domain of this number */
export function readDomain({ store }: Core, _ctx: OpContext, app: AppTarget, number: string | undefined): Domain {
  return presentDomain(ownDomain(store, app, number));
}

/**
 * Gives an app a host; resolves when requests for it go there, or will as soon as the proxy is back.
 * @throws DavitError invalid_input for what is no host name; conflict for one that is taken or the platform's, and for
 * more hosts or ports than an app can have
 */
export async function addDomain(core: Core, ctx: OpContext, app: AppTarget, input: DomainCreate): Promise<Domain> {
  const host = hostOf(input.host);
  refusePlatformHost(host, core.facts.domain);
  const domain = core.store.tx((tx) => {
    const taken = domainByHost(tx, host);
    if (taken) throw new DavitError('conflict', takenBy(tx, ctx, app, taken));
    refuseMore(tx, app);
    const row = { app_id: app.id, host, port: input.port, protocol: input.protocol, created_at: core.now() };
    demandPort(currentApp(tx, app.id), row.port);
    takeTarget(tx, row);
    const id = insertDomain(tx, row);
    core.store.trail.about({ target: `${app.reference}/domains/${id}`, projectId: app.project.id });
    return { ...row, id };
  });
  await routeNow(core, ctx);
  return presentDomain(domain);
}

/** @throws DavitError not_found when the app has no domain of this number; invalid_input; conflict for too many ports */
export async function patchDomain(
  core: Core,
  ctx: OpContext,
  app: AppTarget,
  number: string | undefined,
  patch: DomainPatch,
): Promise<Domain> {
  const domain = core.store.tx((tx) => {
    const before = ownDomain(tx, app, number);
    const port = patch.port === undefined ? before.port : patch.port;
    const after = { ...before, port, protocol: patch.protocol ?? before.protocol };
    demandPort(currentApp(tx, app.id), port);
    takeTarget(tx, after);
    if (port !== before.port || after.protocol !== before.protocol) changeDomain(tx, after);
    return after;
  });
  await routeNow(core, ctx);
  return presentDomain(domain);
}

/** @throws DavitError not_found when the app has no domain of this number */
export async function removeDomain(
  core: Core,
  ctx: OpContext,
  app: AppTarget,
  number: string | undefined,
): Promise<void> {
  core.store.tx((tx) => deleteDomain(tx, ownDomain(tx, app, number)));
  await routeNow(core, ctx);
}

export function presentDomain({ id, host, port, protocol, created_at }: DomainRow): Domain {
  return { id, host, port, protocol, created_at: timestamp(created_at) };
}

function ownDomain(db: Reader, app: AppTarget, number: string | undefined): DomainRow {
  const domain = byPathNumber(number, (id) => domainById(db, id));
  if (domain?.app_id !== app.id) throw new DavitError('not_found', 'The app has no such domain: list its domains.');
  return domain;
}

/** @throws DavitError invalid_input for what no request from outside could ever name */
function hostOf(input: string): string {
  const refused = (what: string) => new DavitError('invalid_input', `host: must be ${what}, such as shop.example.com.`);
  if (input.includes('*')) throw refused('one host name and not a wildcard: give the app each of its names');
  const host = normalizeHost(input);
  // Colons and brackets alone make an IPv6 address, which is none then; other spellings of an IPv4 address are one now.
  if (host === null) throw refused('a host name');
  if (isIPv4(host)) throw refused('a host name and not an address');
  if (!host.includes('.')) throw refused('a whole host name with a dot in it');
  return host;
}

/** What the platform answers by itself, now or once an app of that name is made, is nobody's to take. */
function refusePlatformHost(host: string, domain: string): void {
  if (host === domain) throw new DavitError('conflict', `${host} is the instance’s own host: choose another one.`);
  if (host === `registry.${domain}`)
    throw new DavitError('conflict', `${host} is the registry’s host: choose another one.`);
  if (isDefaultHost(host, domain)) {
    throw new DavitError(
      'conflict',
      `${host} has the form of the hosts that apps get by themselves, «app.environment.project.${domain}»: choose another one.`,
    );
  }
}

function demandPort({ spec }: AppTarget, port: number | null): void {
  if (spec.port !== null || port !== null) return;
  throw new DavitError('invalid_input', 'port: is required, since the app has no port of its own.');
}

function refuseMore(db: Reader, app: AppTarget): void {
  if (domainsOfApp(db, app.id).length < MOST) return;
  throw new DavitError('conflict', `The app has ${MOST} domains, which is as many as there may be: remove one first.`);
}

/** Gives a domain's port and protocol a backend. @throws DavitError conflict, which undoes the transaction */
function takeTarget(tx: Tx, { app_id, port, protocol }: Omit<DomainRow, 'id'>): void {
  const had = slotsOfApp(tx, app_id);
  if (had.includes(slotFor(tx, app_id, port, protocol)) || had.length < MOST_TARGETS) return;
  throw new DavitError(
    'conflict',
    `The app’s domains have led to ${MOST_TARGETS} ports, which is as many as there may be: take one of those.`,
  );
}

/** Names the owner to who sees it, and to nobody else. */
function takenBy(db: Reader, { actor }: OpContext, app: AppTarget, { app_id, host }: DomainRow): string {
  if (app_id === app.id) return `The app has ${host} already: change that domain instead.`;
  const owner = seenReference(db, actor, app_id);
  return owner === undefined
    ? `${host} is taken: choose another host.`
    : `${host} belongs to ${owner}: take it from there first.`;
}

async function routeNow(core: Core, ctx: OpContext): Promise<void> {
  try {
    await core.proxy.sync(routeTable(core));
  } catch (error) {
    if (!(error instanceof ProxyUnavailable)) throw error;
    // The change is on record, and a reconciler makes it true once the proxy can be spoken to.
    ctx.log.warn({ error }, 'a changed domain has to wait for the proxy');
    core.nudgeRoutes();
  }
}
