/** Data of this instance that an installation plan needs. Contains only resources that the user may see. */
import { type FieldCode, normalizeHost } from '@davit/api';
import type { OpContext } from '../../../auth/context.ts';
import { seenReference, sees, seesOwner } from '../../../authorization/lookup.ts';
import { appBySlugs } from '../../../db/tables/app.ts';
import { domainsOfHost } from '../../../db/tables/domain.ts';
import { environmentBySlugs } from '../../../db/tables/environment.ts';
import { databaseByReference } from '../../../db/tables/managed-database.ts';
import { storeByName } from '../../../db/tables/object-store.ts';
import { projectBySlug } from '../../../db/tables/project.ts';
import { allResources } from '../../../db/tables/template-install.ts';
import { type HostClaim, reservedProblem } from '../../domains/reserved-hosts.ts';
import { hostOrProblem } from '../../domains/rules.ts';
import { takenBy, takenProblem } from '../../domains/taken-hosts.ts';
import { portHolder, takenPort } from '../../tcp-ports/host-port.ts';
import type { TemplatesDeps } from '../deps.ts';
import type { Wrong } from '../plan/answers.ts';
import type { AdoptedAs, InstanceView } from '../plan/instance-view.ts';
import type { InstallTarget } from '../plan/wanted.ts';

/**
 * Returns the instance's data for an installation plan, for example the names in use.
 * @param own references of the installation's own resources. Their names are treated as free.
 */
export function instanceViewOf(
  core: TemplatesDeps,
  ctx: OpContext,
  { project, environment }: InstallTarget,
  own: Own = NOTHING,
): InstanceView {
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
    host: hostOrProblem,
    hostProblem: (host) => hostProblem(core, ctx, { host, project, domain: facts.domain }, own),
    portProblem: (port) => portProblem(core, ctx, port, own),
    adoptProblem: (adopted, wanted) =>
      own.databases.has(adopted) ? null : adoptProblem(core, ctx, { ...wanted, adopted, home: home?.id ?? null }),
  };
}

/** References, such as `project/environment/name`, of the resources that an installation already has. */
export interface Own {
  apps: ReadonlySet<string>;
  databases: ReadonlySet<string>;
  stores: ReadonlySet<string>;
}

const NOTHING: Own = { apps: new Set(), databases: new Set(), stores: new Set() };

/**
 * Path of a domain that a template adds to an app. It is always empty, because such a domain serves all paths of its
 * host.
 */
const EVERY_PATH = '';

function hostProblem({ store }: TemplatesDeps, ctx: OpContext, claim: HostClaim, own: Own): Wrong | null {
  const { host, project } = claim;
  // Ignore text that is not a valid host name. The check of the template inputs reports an error for this text.
  if (normalizeHost(host) === null) return null;
  const rows = domainsOfHost(store, host);
  const others = rows.filter(({ app_id }) => !isOwn(store, ctx.actor, app_id, own));
  const wanted = { host, path: EVERY_PATH, projectId: projectBySlug(store, project)?.id ?? null };
  const taken = takenBy(others, wanted);
  if (taken !== undefined) return { code: 'taken', message: takenProblem(store, ctx.actor, taken, wanted) };
  return others.length < rows.length ? null : reservedProblem(store, ctx, claim);
}

function portProblem(core: TemplatesDeps, { actor }: OpContext, port: number, own: Own): Wrong | null {
  const holder = portHolder(core, core.store, port);
  const isFree = holder === null || (holder.kind === 'app' && isOwn(core.store, SEES_ALL, holder.appId, own));
  return isFree ? null : { code: 'taken', message: takenPort(core.store, actor, { port, holder }) };
}

const SEES_ALL = { username: '', role: 'admin', projects: null, via: 'api', userId: null } as const;

function isOwn(store: TemplatesDeps['store'], actor: OpContext['actor'], appId: number, { apps }: Own): boolean {
  const reference = seenReference(store, actor, appId);
  return reference !== undefined && apps.has(reference);
}

interface Adopting extends AdoptedAs {
  adopted: string;
  /** Id of the environment for the installation, or `null` if the environment does not exist yet. */
  home: number | null;
}

function adoptProblem(
  { store }: TemplatesDeps,
  { actor }: OpContext,
  { adopted, engine, version, home }: Adopting,
): Wrong | null {
  const wrong = (code: FieldCode, message: string): Wrong => ({ code, message });
  const row = databaseByReference(store, adopted);
  if (row === undefined || !sees(actor, row.project_id))
    return wrong('not_found', `The database ${adopted} does not exist, or you cannot access it. Check its address.`);
  if (row.engine !== engine)
    return wrong(
      'not_allowed',
      `${adopted} is a ${row.engine} database, but the template needs ${engine}. Choose another database.`,
    );
  if (row.environment_id !== home)
    return wrong('not_allowed', `${adopted} is in another environment. Install the template in that environment.`);
  if (version !== null && isOlder(row.version, version))
    return wrong(
      'not_allowed',
      `${adopted} has version ${row.version}, but the template needs ${version}. Upgrade the database first.`,
    );
  const holder = holderOf(store, row.id, adopted);
  return holder === undefined
    ? null
    : wrong(
        'taken',
        `${adopted} belongs to installation ${holder}. Uninstall that installation first and keep its data.`,
      );
}

/**
 * Returns whether a version is older than another version. Compares the parts of the versions as numbers. For example,
 * `16.4` is not older than `16`.
 */
function isOlder(version: string, than: string): boolean {
  return version.localeCompare(than, 'en', { numeric: true }) < 0 && !version.startsWith(`${than}.`);
}

/**
 * Returns the id of the installation to which a database belongs, or `undefined`. An uninstalled installation is
 * ignored, even if it kept the database.
 */
function holderOf(store: TemplatesDeps['store'], id: number, reference: string): number | undefined {
  const rows = allResources(store).filter((row) => row.kind === 'database' && row.reference === reference);
  return rows.find((row) => (row.state === 'made' || row.state === 'adopted') && row.thing_id === id)?.install_id;
}

function seesStore({ store }: TemplatesDeps, { actor }: OpContext, name: string): boolean {
  const row = storeByName(store, name);
  return row !== undefined && seesOwner(actor, row.project_id);
}
