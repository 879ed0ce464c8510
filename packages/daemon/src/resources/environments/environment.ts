import { DavitError, type Environment, takenField, timestamp } from '@davit/api';
import type { OpContext } from '../../auth/context.ts';
import { demandPresent, type EnvironmentTarget, type ProjectTarget } from '../../authorization/lookup.ts';
import { appsOfEnvironment, markAppDeleted } from '../../db/tables/app.ts';
import {
  environmentBySlugs,
  environmentsOfProject,
  insertEnvironment,
  markEnvironmentDeleted,
} from '../../db/tables/environment.ts';
import { databasesOfEnvironment } from '../../db/tables/managed-database.ts';
import { mapPage, type Page, type PageQuery, pageOf } from '../../input/paging.ts';
import { removeSoon } from '../apps/deletion.ts';
import { demandNoDatabases } from '../databases/change.ts';
import { demandNoStores } from '../object-stores/used-by.ts';
import type { EnvironmentsDeps } from './deps.ts';

/** Name of the environment that every project has. This environment can be deleted only together with its project. */
export const DEFAULT_ENVIRONMENT = 'production';

/** Returns the environments of a project, sorted by name. */
export function listEnvironments(
  { store }: EnvironmentsDeps,
  _ctx: OpContext,
  project: ProjectTarget,
  query: PageQuery = {},
): Page<Environment> {
  const page = pageOf(environmentsOfProject(store, project.id), (row) => row.slug, query);
  return mapPage(page, (row) => present(row.slug, project.slug, row.created_at));
}

export function readEnvironment(_core: EnvironmentsDeps, _ctx: OpContext, environment: EnvironmentTarget): Environment {
  return present(environment.slug, environment.project.slug, environment.createdAt);
}

/**
 * Creates an environment.
 * @throws DavitError conflict if the project already has an environment with this name
 */
export function createEnvironment(
  core: EnvironmentsDeps,
  _ctx: OpContext,
  project: ProjectTarget,
  { slug }: { slug: string },
): Environment {
  const at = core.now();
  core.store.tx((tx) => {
    demandPresent(tx, project);
    if (environmentBySlugs(tx, project.slug, slug))
      throw takenField(
        'slug',
        `An environment ${slug} already exists in the project ${project.slug}. Choose another name.`,
      );
    insertEnvironment(tx, project, slug, at);
    core.store.trail.about({ target: `${project.slug}/${slug}` });
  });
  return present(slug, project.slug, at);
}

/**
 * Deletes an environment with its apps. The name of the environment can be used again at once.
 * @throws DavitError conflict for `production`, or if the environment has databases or object stores
 */
export async function deleteEnvironment(
  core: EnvironmentsDeps,
  ctx: OpContext,
  environment: EnvironmentTarget,
): Promise<void> {
  const { slug, project } = environment;
  if (slug === DEFAULT_ENVIRONMENT) {
    throw new DavitError(
      'conflict',
      `The environment ${slug} can only be deleted with its project. Delete the project, or delete the apps in ${slug}.`,
    );
  }
  const at = core.now();
  core.store.tx((tx) => {
    demandNoDatabases(databasesOfEnvironment(tx, environment.id), `${project.slug}/${slug}`);
    demandNoStores(tx, project, environment.id);
    for (const app of appsOfEnvironment(tx, environment.id)) markAppDeleted(tx, app.id, at);
    markEnvironmentDeleted(tx, { id: environment.id, slug, project: project.slug }, at);
  });
  await removeSoon(core, ctx, project);
}

function present(slug: string, project: string, createdAt: number): Environment {
  return { slug, project, created_at: timestamp(createdAt) };
}
