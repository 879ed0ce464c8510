/** What a plan has to know of this instance, for who asks for it. */
import { DavitError } from '@davit/api';
import type { OpContext } from '../../context.ts';
import type { Place } from '../../installs/plan/wanted.ts';
import type { AdoptedAs, World } from '../../installs/plan/world.ts';
import { appBySlugs } from '../../store/app.ts';
import { domainsOfHost } from '../../store/domain.ts';
import { environmentBySlugs } from '../../store/environment.ts';
import { databaseByReference } from '../../store/managed-database.ts';
import { storeByName } from '../../store/object-store.ts';
import { projectBySlug } from '../../store/project.ts';
import { allResources } from '../../store/template-install.ts';
import type { Core } from '../core.ts';
import { refusePlatformHost } from '../domain-owner.ts';
import { hostOf } from '../domain-rules.ts';
import { portHolder } from '../host-port.ts';
import { seenReference, sees, seesOwner } from '../lookup.ts';

/** @param own references and hosts that belong to the installation itself, and so are free for it */
export function worldOf(core: Core, ctx: OpContext, { project, environment }: Place, own: Own = NOTHING): World {
  const { store, facts } = core;
  const home = environmentBySlugs(store, project, environment);
  const reference = (name: string) => `${project}/${environment}/${name}`;
  return {
    version: facts.version,
    hasProject: projectBySlug(store, project) !== undefined,
    hasEnvironment: home !== undefined,
    hasApp: (name) => !own.apps.has(reference(name)) && appBySlugs(store, project, environment, name) !== undefined,
    hasDatabase: (name) =>
      !own.databases.has(reference(name)) && databaseByReference(store, reference(name)) !== undefined,
    takenStore: (name) => !own.stores.has(name) && storeByName(store, name) !== undefined,
    hasStore: (name) => seesStore(core, ctx, name),
    host: (text) => spelled(text),
    hostProblem: (host) => hostProblem(core, ctx, host, own),
    portProblem: (port) => portProblem(core, port, own),
    adoptProblem: (adopted, wanted) =>
      own.databases.has(adopted) ? null : adoptProblem(core, ctx, { ...wanted, adopted, home: home?.id ?? null }),
  };
}

/** What an installation has already. */
export interface Own {
  /** References. */
  apps: ReadonlySet<string>;
  databases: ReadonlySet<string>;
  stores: ReadonlySet<string>;
}

const NOTHING: Own = { apps: new Set(), databases: new Set(), stores: new Set() };

/** The sentence of a field alone: which one it is, the plan says. */
function spelled(text: string): string {
  try {
    return hostOf(text, 'host');
  } catch (error) {
    if (!(error instanceof DavitError)) throw error;
    throw new DavitError('invalid_input', error.message.replace(/^host: m/, 'It m'));
  }
}

function hostProblem({ store, facts }: Core, { actor }: OpContext, host: string, own: Own): string | null {
  const taken = domainsOfHost(store, host).find(({ app_id }) => !isOwn(store, actor, app_id, own));
  if (taken !== undefined) {
    const owner = seenReference(store, actor, taken.app_id);
    return owner === undefined ? `${host} is taken: choose another host.` : `${host} belongs to ${owner}.`;
  }
  try {
    refusePlatformHost(host, facts.domain);
    return null;
  } catch (error) {
    if (error instanceof DavitError) return error.message;
    throw error;
  }
}

function portProblem(core: Core, port: number, own: Own): string | null {
  const holder = portHolder(core, core.store, port);
  if (holder?.kind === 'instance') return `Port ${port} is the instance’s own: choose another.`;
  const isFree = holder === null || (holder.kind === 'app' && isOwn(core.store, SEES_ALL, holder.appId, own));
  return isFree ? null : `Port ${port} is taken: choose another.`;
}

const SEES_ALL = { username: '', role: 'admin', projects: null, via: 'api', userId: null } as const;

function isOwn(store: Core['store'], actor: OpContext['actor'], appId: number, { apps }: Own): boolean {
  const reference = seenReference(store, actor, appId);
  return reference !== undefined && apps.has(reference);
}

interface Adopting extends AdoptedAs {
  adopted: string;
  /** The environment’s number; null: it is not there yet. */
  home: number | null;
}

function adoptProblem(
  { store }: Core,
  { actor }: OpContext,
  { adopted, engine, version, home }: Adopting,
): string | null {
  const row = databaseByReference(store, adopted);
  if (row === undefined || !sees(actor, row.project_id))
    return `There is no database ${adopted}, or you do not see it.`;
  if (row.engine !== engine) return `${adopted} is a ${row.engine} database, and the template needs ${engine}.`;
  if (row.environment_id !== home) return `${adopted} is in another environment: install the template there.`;
  if (version !== null && isOlder(row.version, version))
    return `${adopted} is of version ${row.version}, and the template needs ${version}: upgrade it first.`;
  const holder = holderOf(store, row.id, adopted);
  return holder === undefined
    ? null
    : `${adopted} belongs to installation ${holder}: uninstall that first, which keeps it.`;
}

/** By the numbers that versions begin with. */
function isOlder(version: string, than: string): boolean {
  return version.localeCompare(than, 'en', { numeric: true }) < 0 && !version.startsWith(`${than}.`);
}

/** The installation that has a database, unless it only kept it. */
function holderOf(store: Core['store'], id: number, reference: string): number | undefined {
  const rows = allResources(store).filter((row) => row.kind === 'database' && row.reference === reference);
  return rows.find((row) => (row.state === 'made' || row.state === 'adopted') && row.thing_id === id)?.install_id;
}

function seesStore({ store }: Core, { actor }: OpContext, name: string): boolean {
  const row = storeByName(store, name);
  return row !== undefined && seesOwner(actor, row.project_id);
}
