import { type Project, takenField, timestamp } from '@davit/api';
import type { OpContext } from '../../auth/context.ts';
import { demandAllProjects, type ProjectTarget } from '../../authorization/lookup.ts';
import type { Tx } from '../../db/store.ts';
import { appsOfProject, markAppDeleted } from '../../db/tables/app.ts';
import {
  allEnvironments,
  environmentsOfProject,
  insertEnvironment,
  markEnvironmentDeleted,
} from '../../db/tables/environment.ts';
import { databasesOfProject } from '../../db/tables/managed-database.ts';
import {
  insertProject,
  listProjects as listProjectRows,
  markProjectDeleted,
  projectBySlug,
} from '../../db/tables/project.ts';
import { mapPage, type Page, type PageQuery, pageOf } from '../../input/paging.ts';
import { removeSoon } from '../apps/deletion.ts';
import { demandNoDatabases } from '../databases/change.ts';
import { refuseTakenName } from '../domains/taken-hosts.ts';
import { DEFAULT_ENVIRONMENT } from '../environments/environment.ts';
import { demandNoStores } from '../object-stores/used-by.ts';
import type { ProjectsDeps } from './deps.ts';

/** Returns the projects that the user can see, sorted by name. */
export function listProjects({ store }: ProjectsDeps, { actor }: OpContext, query: PageQuery = {}): Page<Project> {
  const environments = Map.groupBy(allEnvironments(store), (row) => row.project_id);
  const page = pageOf(listProjectRows(store, actor.projects), (row) => row.slug, query);
  return mapPage(page, (row) => present(row.slug, row.created_at, environments.get(row.id) ?? []));
}

/**
 * Creates a project with the environment `production`.
 * @throws DavitError forbidden for a user limited to some projects; conflict if the name or a host below
 * `<slug>.<domain>` is taken
 */
export function createProject(core: ProjectsDeps, ctx: OpContext, { slug }: { slug: string }): Project {
  demandAllProjects(ctx.actor, 'create projects');
  const createdAt = core.now();
  const id = core.store.tx((tx) => {
    if (projectBySlug(tx, slug))
      throw takenField('slug', `A project with the name ${slug} already exists. Choose another name.`);
    refuseTakenName(tx, slug, core.facts.domain);
    const projectId = insertProject(tx, slug, createdAt);
    insertEnvironment(tx, { id: projectId, slug }, DEFAULT_ENVIRONMENT, createdAt);
    core.store.trail.about({ target: slug, projectId });
    return projectId;
  });
  return readProject(core, ctx, { id, slug, createdAt });
}

export function readProject({ store }: ProjectsDeps, _ctx: OpContext, project: ProjectTarget): Project {
  return present(project.slug, project.createdAt, environmentsOfProject(store, project.id));
}

/**
 * Deletes a project with its apps, environments and containers. The name of the project becomes free at once.
 * @throws DavitError conflict with the names of remaining databases or object stores
 */
export async function deleteProject(core: ProjectsDeps, ctx: OpContext, project: ProjectTarget): Promise<void> {
  const at = core.now();
  core.store.tx((tx) => {
    demandNoDatabases(databasesOfProject(tx, project.id), project.slug);
    demandNoStores(tx, project);
    markWholeProjectDeleted(tx, project, at);
  });
  await removeSoon(core, ctx, project);
}

/** Marks a project, its environments and its apps as deleted. */
export function markWholeProjectDeleted(tx: Tx, project: ProjectTarget, at: number): void {
  for (const app of appsOfProject(tx, project.id)) markAppDeleted(tx, app.id, at);
  for (const environment of environmentsOfProject(tx, project.id)) markEnvironmentDeleted(tx, environment, at);
  markProjectDeleted(tx, project, at);
}

function present(slug: string, createdAt: number, environments: { slug: string }[]): Project {
  return { slug, environments: environments.map((row) => row.slug), created_at: timestamp(createdAt) };
}
