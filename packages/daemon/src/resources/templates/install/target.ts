/** Finds or creates the project and the environment of an installation. */
import { DavitError, EnvironmentCreate, ProjectCreate } from '@davit/api';
import type { OpContext } from '../../../auth/context.ts';
import { lookUp } from '../../../authorization/lookup.ts';
import type { Reader } from '../../../db/store.ts';
import { appsOfEnvironment, appsOfProject } from '../../../db/tables/app.ts';
import { type EnvironmentRow, environmentBySlugs } from '../../../db/tables/environment.ts';
import { databasesOfEnvironment, databasesOfProject } from '../../../db/tables/managed-database.ts';
import { listObjectStores, storeNamesOfProject } from '../../../db/tables/object-store.ts';
import { projectBySlug } from '../../../db/tables/project.ts';
import { allResources, changeInstall, installById, type ResourceRow } from '../../../db/tables/template-install.ts';
import { createEnvironment, DEFAULT_ENVIRONMENT, deleteEnvironment } from '../../environments/environment.ts';
import { createProject, deleteProject } from '../../projects/project.ts';
import type { TemplatesDeps } from '../deps.ts';
import { admitted } from './apps.ts';
import type { Build, InstallRemoval } from './build.ts';
import { lastTask, statusOf } from './present.ts';
import { forgetThing, madeThings, makeThing, noteThing } from './resources.ts';
import { isOurs, isThat, type Thing } from './things.ts';

export function makeProject({ core, ctx, installId, wanted: { project: slug } }: Build): void {
  const { store } = core;
  const thing = { kind: 'project', key: null, name: slug, reference: slug } as const;
  const there = projectBySlug(store, slug);
  if (there !== undefined && !isOurs(store, installId, thing)) {
    demandChosen(store, ctx, installId, there);
    takeOver(core, installId, thing);
  } else makeThing(core, installId, thing, () => createProject(core, ctx, admitted(ProjectCreate, { slug })));
  const id = projectBySlug(store, slug)?.id ?? null;
  store.tx((tx) => changeInstall(tx, installId, { project_id: id }, core.now()));
}

/**
 * @throws DavitError not_found if another project has the name of the chosen project, or the actor cannot see the
 * project
 */
function demandChosen(
  store: Reader,
  ctx: OpContext,
  installId: number,
  { id, slug }: { id: number; slug: string },
): void {
  const chosen = installById(store, installId)?.project_id ?? id;
  const found = lookUp(store, ctx.actor, 'administer', 'project', { project: slug });
  if (found.id !== chosen) throw new DavitError('not_found', `The project ${slug} does not exist any more.`);
}

/**
 * Creates the environment of the installation if it does not exist yet.
 * @throws DavitError not_found if the project was deleted
 */
export function makeEnvironment({ core, ctx, installId, wanted }: Build): void {
  const { store } = core;
  const { project, environment: slug } = wanted;
  const thing = { kind: 'environment', key: null, name: slug, reference: `${project}/${slug}` } as const;
  if (environmentBySlugs(store, project, slug) !== undefined && !isOurs(store, installId, thing)) {
    /*
     * Save the default environment as created by the installation too, because `createProject` creates this environment
     * together with the project.
     */
    const isBorn = slug === DEFAULT_ENVIRONMENT && isOurs(store, installId, { kind: 'project', reference: project });
    if (isBorn) noteThing(core, installId, thing, 'made');
    else takeOver(core, installId, thing);
    return;
  }
  const target = lookUp(store, ctx.actor, 'administer', 'project', { project });
  const make = () => createEnvironment(core, ctx, target, admitted(EnvironmentCreate, { slug }));
  makeThing(core, installId, thing, make);
}

/**
 * Removes the empty environments that the installation created. If another installation uses an environment, it becomes
 * the owner of the environment.
 */
export async function removeEnvironment({ core, ctx, installId }: InstallRemoval): Promise<void> {
  const { store } = core;
  for (const row of madeThings(core, installId, 'environment')) {
    const [project = '', slug = ''] = row.reference.split('/');
    const found = isThat(store, row) ? environmentBySlugs(store, project, slug) : undefined;
    if (found !== undefined) {
      if (handOver(core, row)) continue;
      if (!isEnvironmentEmpty(core, found)) continue;
      const { id, project_id, created_at: createdAt } = found;
      if (slug !== DEFAULT_ENVIRONMENT)
        await deleteEnvironment(core, ctx, { id, slug, project: { id: project_id, slug: project }, createdAt });
    }
    forgetThing(core, row);
  }
}

/**
 * Removes the empty projects that the installation created. If another installation uses a project, it becomes the
 * owner of the project.
 */
export async function removeProject({ core, ctx, installId }: InstallRemoval): Promise<void> {
  const { store } = core;
  for (const row of madeThings(core, installId, 'project')) {
    const found = isThat(store, row) ? projectBySlug(store, row.name) : undefined;
    if (found !== undefined) {
      if (handOver(core, row)) continue;
      if (!isProjectEmpty(core, found.id)) continue;
      await deleteProject(core, ctx, { id: found.id, slug: found.slug, createdAt: found.created_at });
    }
    forgetThing(core, row);
    store.tx((tx) => changeInstall(tx, installId, { project_id: null }, core.now()));
  }
}

function isEnvironmentEmpty({ store }: TemplatesDeps, { id, project_id: projectId }: EnvironmentRow): boolean {
  return (
    appsOfEnvironment(store, id).length === 0 &&
    databasesOfEnvironment(store, id).length === 0 &&
    storeNamesOfProject(store, projectId, id).length === 0
  );
}

function isProjectEmpty({ store }: TemplatesDeps, id: number): boolean {
  return (
    appsOfProject(store, id).length === 0 &&
    databasesOfProject(store, id).length === 0 &&
    listObjectStores(store, [id]).length === 0
  );
}

/**
 * Saves that the installation uses an existing project or environment. If the previous owner is already uninstalled,
 * this installation becomes the owner.
 */
function takeOver(core: TemplatesDeps, installId: number, thing: Thing): void {
  const { store } = core;
  const left = rowsOf(core, thing).find(
    (row) => row.state === 'made' && isThat(store, row) && installById(store, row.install_id)?.uninstalled_at != null,
  );
  if (left !== undefined) forgetThing(core, left);
  noteThing(core, installId, thing, left === undefined ? 'used' : 'made');
}

/**
 * Makes another installation the owner of a project or environment that it uses.
 * @returns `false` if no other installation uses the project or environment
 */
function handOver(core: TemplatesDeps, row: ResourceRow): boolean {
  const { store } = core;
  const heir = rowsOf(core, row).find(
    (one) => one.state === 'used' && one.install_id !== row.install_id && isThat(store, one) && isAlive(core, one),
  );
  if (heir === undefined) return false;
  noteThing(core, heir.install_id, heir, 'made');
  forgetThing(core, row);
  return true;
}

function isAlive({ store }: TemplatesDeps, { install_id }: ResourceRow): boolean {
  const install = installById(store, install_id);
  const status = install && statusOf(install, lastTask(store, install_id));
  return status !== undefined && status !== 'failed' && status !== 'uninstalled';
}

function rowsOf({ store }: TemplatesDeps, { kind, reference }: Pick<Thing, 'kind' | 'reference'>): ResourceRow[] {
  return allResources(store).filter((row) => row.kind === kind && row.reference === reference);
}
