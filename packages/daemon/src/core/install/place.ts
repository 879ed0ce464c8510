/** The project and the environment of an installation: used where they are, made where they are not. */
import { EnvironmentCreate, ProjectCreate } from '@davit/api';
import { appsOfEnvironment, appsOfProject } from '../../store/app.ts';
import { environmentBySlugs } from '../../store/environment.ts';
import { databasesOfEnvironment, databasesOfProject } from '../../store/managed-database.ts';
import { listStores } from '../../store/object-store.ts';
import { projectBySlug } from '../../store/project.ts';
import { allResources, changeInstall, installById, resourcesOf } from '../../store/template-install.ts';
import type { Core } from '../core.ts';
import { createEnvironment, DEFAULT_ENVIRONMENT, deleteEnvironment } from '../environment.ts';
import { createProject, deleteProject } from '../project.ts';
import { admitted } from './apps.ts';
import type { Build } from './build.ts';
import { forgetThing, madeThings, makeThing, noteThing, type Thing } from './resources.ts';

export function makeProject({ core, ctx, installId, wanted: { project: slug } }: Build): void {
  const thing = { kind: 'project', key: null, name: slug, reference: slug } as const;
  const exists = () => projectBySlug(core.store, slug) !== undefined;
  if (exists() && !isOurs(core, installId, 'project')) takeOver(core, installId, thing);
  else
    makeThing(core, installId, thing, {
      exists,
      make: () => createProject(core, ctx, admitted(ProjectCreate, { slug })),
    });
  const id = projectBySlug(core.store, slug)?.id ?? null;
  core.store.tx((tx) => changeInstall(tx, installId, { project_id: id }, core.now()));
}

export function makeEnvironment({ core, ctx, installId, wanted }: Build): void {
  const { project, environment: slug } = wanted;
  const thing = { kind: 'environment', key: null, name: slug, reference: `${project}/${slug}` } as const;
  const exists = () => environmentBySlugs(core.store, project, slug) !== undefined;
  if (exists() && !isOurs(core, installId, 'environment')) {
    // A project is born with one, which came about with it.
    if (slug === DEFAULT_ENVIRONMENT && isOurs(core, installId, 'project')) noteThing(core, installId, thing, 'made');
    else takeOver(core, installId, thing);
    return;
  }
  const row = projectBySlug(core.store, project);
  if (row === undefined) return;
  const target = { id: row.id, slug: row.slug, createdAt: row.created_at };
  const make = () => createEnvironment(core, ctx, target, admitted(EnvironmentCreate, { slug }));
  makeThing(core, installId, thing, { exists, make });
}

/** Removes the environment that the installation made, unless there is something in it by now. */
export async function removeEnvironment({ core, ctx, installId }: Removal): Promise<void> {
  const { store } = core;
  for (const row of madeThings(core, installId, 'environment')) {
    const [project = '', slug = ''] = row.reference.split('/');
    const found = environmentBySlugs(store, project, slug);
    const isEmpty =
      found !== undefined &&
      appsOfEnvironment(store, found.id).length === 0 &&
      databasesOfEnvironment(store, found.id).length === 0;
    if (isEmpty && slug !== DEFAULT_ENVIRONMENT) {
      const target = {
        id: found.id,
        slug,
        project: { id: found.project_id, slug: project },
        createdAt: found.created_at,
      };
      await deleteEnvironment(core, ctx, target);
    }
    if (isEmpty || found === undefined) forgetThing(core, row);
  }
}

/** The same of the project. */
export async function removeProject({ core, ctx, installId }: Removal): Promise<void> {
  const { store } = core;
  for (const row of madeThings(core, installId, 'project')) {
    const found = projectBySlug(store, row.name);
    const isEmpty = found !== undefined && isProjectEmpty(core, found.id);
    if (isEmpty) await deleteProject(core, ctx, { id: found.id, slug: found.slug, createdAt: found.created_at });
    if (!isEmpty && found !== undefined) continue;
    forgetThing(core, row);
    store.tx((tx) => changeInstall(tx, installId, { project_id: null }, core.now()));
  }
}

export type Removal = Pick<Build, 'core' | 'ctx' | 'installId'>;

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
  const left = allResources(store).find(({ kind, reference, state, install_id }) => {
    const isThat = kind === thing.kind && reference === thing.reference && state === 'made';
    return isThat && installById(store, install_id)?.uninstalled_at != null;
  });
  if (left !== undefined) forgetThing(core, left);
  noteThing(core, installId, thing, left === undefined ? 'used' : 'made');
}

function isOurs({ store }: Core, installId: number, kind: 'project' | 'environment'): boolean {
  return resourcesOf(store, installId).some((row) => row.kind === kind && ['planned', 'made'].includes(row.state));
}
