/** API functions for the domains of apps. A change of a domain takes effect without a deployment. */
import { isDeepStrictEqual } from 'node:util';
import { DavitError, type Domain, type DomainCreate, type DomainPatch, invalidField } from '@davit/api';
import { ProxyUnavailable } from '../../adapters/proxy/proxy.ts';
import type { AppTarget } from '../../app-spec/app-target.ts';
import { unsealed } from '../../app-spec/unsealed.ts';
import type { OpContext } from '../../auth/context.ts';
import { currentApp } from '../../authorization/lookup.ts';
import type { Reader, Tx } from '../../db/store.ts';
import {
  changeDomain,
  type DomainRow,
  deleteDomain,
  domainById,
  domainsOfApp,
  insertDomain,
  ruleBytesOfApp,
  setBasicAuth,
} from '../../db/tables/domain.ts';
import { slotsOfApp } from '../../db/tables/route.ts';
import { mapPage, type Page, type PageQuery, pageOf } from '../../input/paging.ts';
import { byPathNumber } from '../../input/path-number.ts';
import { type StoredUsers, storedUsers, usersLocation } from '../../routing/host-rules.ts';
import { routeTable } from '../../routing/route-table.ts';
import { takeSlot } from '../../routing/slots.ts';
import { certificateOf } from '../certificates/certificate-of.ts';
import type { DomainsDeps } from './deps.ts';
import { refuseChain } from './redirect-chain.ts';
import { refuseReserved } from './reserved-hosts.ts';
import { hashedUsers, patchedRules, patchedUsers, presentDomain, requestedHost, ruleColumns } from './rules.ts';
import { refuseTaken } from './taken-hosts.ts';

/**
 * Maximum number of domains per app. The number is limited, because each API response with an app contains all domains
 * of the app.
 */
const MOST = 1_000;

/** Maximum total size of the rules of all domains of one app, in bytes. */
const MOST_RULE_BYTES = 1024 * 1024;

/**
 * Maximum number of HAProxy backends per app. The number of domains is not a sufficient limit, because a backend stays
 * reserved after its domain is removed.
 */
const MOST_TARGETS = 64;

/** Returns the domains of an app, sorted by host and path. */
export function listDomains(core: DomainsDeps, _ctx: OpContext, app: AppTarget, query: PageQuery = {}): Page<Domain> {
  return mapPage(
    pageOf(domainsOfApp(core.store, app.id), (row) => `${row.host} ${row.path}`, query),
    (row) => present(core, row),
  );
}

/**
 * Returns a domain.
 * @throws DavitError not_found if the app has no domain with this id
 */
export function readDomain(core: DomainsDeps, _ctx: OpContext, app: AppTarget, number: string | undefined): Domain {
  return present(core, ownDomain(core.store, app, number));
}

/**
 * Adds a host name, or a path of a host name, to an app. The promise resolves when HAProxy routes requests for the host
 * to the app. If HAProxy is unavailable, the promise resolves anyway.
 * @throws DavitError invalid_input, conflict
 */
export async function addDomain(
  core: DomainsDeps,
  ctx: OpContext,
  app: AppTarget,
  input: DomainCreate,
): Promise<Domain> {
  const { host: inputHost, basic_auth, ...settings } = input;
  const host = requestedHost(inputHost, 'host');
  const users = basic_auth && hashedUsers(basic_auth);
  const columns = ruleColumns(host, settings, users && Object.keys(users.users));
  const domain = core.store.tx((tx) => {
    const row = { app_id: app.id, host, ...columns, created_at: core.now() };
    refuseReserved(tx, ctx, { host, project: app.project.slug, domain: core.facts.domain });
    refuseTaken(tx, ctx, app, row);
    refuseMore(tx, app);
    refuseChain(tx, app, row);
    demandPort(currentApp(tx, app.id), row);
    takeTarget(tx, row);
    const id = insertDomain(tx, row);
    const sealed = sealUsers(core, id, users);
    if (sealed !== null) setBasicAuth(tx, id, sealed);
    refuseMoreRules(tx, app);
    core.store.trail.about({ target: `${app.reference}/domains/${id}`, projectId: app.project.id });
    return { ...row, id, basic_auth: sealed };
  });
  await routeNow(core, ctx);
  return present(core, domain);
}

/**
 * Changes a domain of an app.
 * @throws DavitError not_found, invalid_input; conflict for a taken path, a redirect to a redirect, or too many ports
 * or access rules
 */
export async function patchDomain(
  core: DomainsDeps,
  ctx: OpContext,
  app: AppTarget,
  number: string | undefined,
  patch: DomainPatch,
): Promise<Domain> {
  const domain = core.store.tx((tx) => {
    const before = ownDomain(tx, app, number);
    const after = patched(core, before, patch);
    if (isDeepStrictEqual(after, { ...before })) return before;
    refuseTaken(tx, ctx, app, after);
    refuseChain(tx, app, after);
    demandPort(currentApp(tx, app.id), after);
    takeTarget(tx, after);
    changeDomain(tx, after);
    refuseMoreRules(tx, app);
    return after;
  });
  await routeNow(core, ctx);
  return present(core, domain);
}

/**
 * Removes a domain.
 * @throws DavitError not_found if the app has no domain with this id
 */
export async function removeDomain(
  core: DomainsDeps,
  ctx: OpContext,
  app: AppTarget,
  number: string | undefined,
): Promise<void> {
  core.store.tx((tx) => deleteDomain(tx, ownDomain(tx, app, number)));
  await routeNow(core, ctx);
}

/**
 * Converts an SQLite row to a domain with its certificate state for the API. Lists of apps do not use this function,
 * because it takes long to read the certificate state.
 */
function present(core: DomainsDeps, row: DomainRow): Domain {
  return { ...presentDomain(row), certificate: certificateOf(core, row.host) };
}

function patched(core: DomainsDeps, before: DomainRow, patch: DomainPatch): DomainRow {
  const users = patchedUsers(patch.basic_auth, () => knownUsers(core, before));
  const names = users === undefined ? presentDomain(before).basic_auth?.users : users && Object.keys(users.users);
  const columns = ruleColumns(before.host, patchedRules(before, patch), names ?? null);
  const basic_auth = users === undefined ? before.basic_auth : sealUsers(core, before.id, users);
  return { ...before, ...columns, basic_auth };
}

function knownUsers({ sealer }: DomainsDeps, row: DomainRow): StoredUsers | null {
  return unsealed(
    () => storedUsers(sealer, row),
    'The stored passwords of the domain cannot be decrypted, because they were changed outside Davit. Set basic_auth to null, then set all users and passwords again.',
  );
}

function sealUsers({ sealer }: DomainsDeps, id: number, users: StoredUsers | null): string | null {
  return users && sealer.seal(JSON.stringify(users), usersLocation(id));
}

function ownDomain(db: Reader, app: AppTarget, number: string | undefined): DomainRow {
  const domain = byPathNumber(number, (id) => domainById(db, id));
  if (domain?.app_id !== app.id)
    throw new DavitError('not_found', 'The app does not have this domain. List the domains of the app.');
  return domain;
}

/** Checks that the app or the domain has a port for requests. A domain that only redirects requests needs no port. */
function demandPort({ spec }: AppTarget, { port, redirect_to }: Pick<DomainRow, 'port' | 'redirect_to'>): void {
  if (spec.port !== null || port !== null || redirect_to !== null) return;
  throw invalidField(
    'port',
    'required',
    'The app has no port in its settings. Set the port of the app that receives the requests for this domain.',
  );
}

function refuseMore(db: Reader, app: AppTarget): void {
  if (domainsOfApp(db, app.id).length < MOST) return;
  throw new DavitError('conflict', `The app already has ${MOST} domains, the maximum. Remove one first.`);
}

/**
 * Checks that an app's access rules are not too large. Call this function after the change in the same transaction, so
 * that the error rolls back the change.
 */
function refuseMoreRules(db: Reader, app: AppTarget): void {
  if (ruleBytesOfApp(db, app.id) <= MOST_RULE_BYTES) return;
  throw new DavitError(
    'conflict',
    'The access rules of all domains of the app together are larger than 1 MiB, which is the limit. Allow networks such as 192.0.2.0/24 instead of single IP addresses, or remove rules.',
  );
}

/**
 * Assigns an HAProxy backend to the port and protocol of a domain.
 * @throws DavitError conflict if the app has too many backends. The error rolls back the SQLite transaction.
 */
function takeTarget(tx: Tx, { app_id, port, protocol }: Pick<DomainRow, 'app_id' | 'port' | 'protocol'>): void {
  const had = slotsOfApp(tx, app_id);
  if (had.includes(takeSlot(tx, app_id, port, protocol)) || had.length < MOST_TARGETS) return;
  throw new DavitError(
    'conflict',
    `The domains of the app have used ${MOST_TARGETS} different ports, the maximum. Use one of these ports.`,
  );
}

async function routeNow(core: DomainsDeps, ctx: OpContext): Promise<void> {
  core.nudgeCertificates();
  try {
    await core.proxy.sync(routeTable(core));
  } catch (error) {
    if (!(error instanceof ProxyUnavailable)) throw error;
    // Only log the error, because the database contains the changed domain. A background job updates HAProxy later.
    ctx.log.warn({ error }, 'a changed domain could not be sent to the proxy; the reconciler tries again');
    core.nudgeRoutes();
  }
}
