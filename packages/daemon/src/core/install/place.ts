/** The project and the environment of an installation: used where they are, made where they are not. */
import { EnvironmentCreate, ProjectCreate } from '@davit/api';
import { appsOfEnvironment, appsOfProject } from '../../store/app.ts';
import { type EnvironmentRow, environmentBySlugs } from '../../store/environment.ts';
import { databasesOfEnvironment, databasesOfProject } from '../../store/managed-database.ts';
import { listStores, storesOfPlace } from '../../store/object-store.ts';
import { projectBySlug } from '../../store/project.ts';
import { allResources, changeInstall, installById, type ResourceRow } from '../../store/template-install.ts';
import type { Core } from '../core.ts';
import { createEnvironment, DEFAULT_ENVIRONMENT, deleteEnvironment } from '../environment.ts';
import { lookUp } from '../lookup.ts';
import { createProject, deleteProject } from '../project.ts';
import { admitted } from './apps.ts';
import type { Build } from './build.ts';
import { lastTask, statusOf } from './present.ts';
import { forgetThing, madeThings, makeThing, noteThing } from './resources.ts';
import { isOurs, isThat, type Thing } from './things.ts';

export function makeProject({ core, ctx, installId, wanted: { project: slug } }: Build): void {
  const { store } = core;
  const thing = { kind: 'project', key: null, name: slug, reference: slug } as const;
  if (projectBySlug(store, slug) !== undefined && !isOurs(store, installId, thing)) takeOver(core, installId, thing);
  else makeThing(core, installId, thing, () => createProject(core, ctx, admitted(ProjectCreate, { slug })));
  const id = projectBySlug(store, slug)?.id ?? null;
  store.tx((tx) => changeInstall(tx, installId, { project_id: id }, core.now()));
}

/** @throws DavitError not_found when somebody has removed the project since */
export function makeEnvironment({ core, ctx, installId, wanted }: Build): void {
  const { store } = core;
  const { project, environment: slug } = wanted;
  const thing = { kind: 'environment', key: null, name: slug, reference: `${project}/${slug}` } as const;
  if (environmentBySlugs(store, project, slug) !== undefined && !isOurs(store, installId, thing)) {
    // A project is born with one, which came about with it.
    const isBorn = slug === DEFAULT_ENVIRONMENT && isOurs(store, installId, { kind: 'project', reference: project });
    if (isBorn) noteThing(core, installId, thing, 'made');
    else takeOver(core, installId, thing);
    return;
  }
  const target = lookUp(store, ctx.actor, 'administer', 'project', { project });
  const make = () => createEnvironment(core, ctx, target, admitted(EnvironmentCreate, { slug }));
  makeThing(core, installId, thing, make);
}

/** Removes the environment that the installation made, unless there is something in it by now. */
export async function removeEnvironment({ core, ctx, installId }: Removal): Promise<void> {
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

/** The same of the project. */
export async function removeProject({ core, ctx, installId }: Removal): Promise<void> {
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

export type Removal = Pick<Build, 'core' | 'ctx' | 'installId'>;

function isEnvironmentEmpty({ store }: Core, { id, project_id: projectId }: EnvironmentRow): boolean {
  return (
    appsOfEnvironment(store, id).length === 0 &&
    databasesOfEnvironment(store, id).length === 0 &&
    storesOfPlace(store, projectId, id).length === 0
  );
}

function isProjectEmpty({ store }: Core, id: number): boolean {
  return (
    appsOfProject(store, id).length === 0 &&
    databasesOfProject(store, id).length === 0 &&
    listStores(store, [id]).length === 0
  );
}

/** What an installation made that is gone, and left for the data that it kept, is this one’s; what else is there is used. */
function takeOver(core: Core, installId: number, thing: Thing): void {
  const { store } = core;
  const left = rowsOf(core, thing).find(
    (row) => row.state === 'made' && isThat(store, row) && installById(store, row.install_id)?.uninstalled_at != null,
  );
  if (left !== undefined) forgetThing(core, left);
  noteThing(core, installId, thing, left === undefined ? 'used' : 'made');
}

/** What another installation uses, or is about to fill, goes over to that one. Answers whether there is one. */
function handOver(core: Core, row: ResourceRow): boolean {
  const { store } = core;
  const heir = rowsOf(core, row).find(
    (one) => one.state === 'used' && one.install_id !== row.install_id && isThat(store, one) && isAlive(core, one),
  );
  if (heir === undefined) return false;
  noteThing(core, heir.install_id, heir, 'made');
  forgetThing(core, row);
  return true;
}

function isAlive({ store }: Core, { install_id }: ResourceRow): boolean {
  const install = installById(store, install_id);
  const status = install && statusOf(install, lastTask(store, install_id));
  return status !== undefined && status !== 'failed' && status !== 'uninstalled';
}

function rowsOf({ store }: Core, { kind, reference }: Pick<Thing, 'kind' | 'reference'>): ResourceRow[] {
  return allResources(store).filter((row) => row.kind === kind && row.reference === reference);
}
