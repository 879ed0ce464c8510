import { DavitError, type Environment, timestamp } from '@davit/api';
import type { OpContext } from '../context.ts';
import { appsOfEnvironment, markAppDeleted } from '../store/app.ts';
import {
  environmentBySlugs,
  environmentsOfProject,
  insertEnvironment,
  markEnvironmentDeleted,
} from '../store/environment.ts';
import { databasesOfEnvironment } from '../store/managed-database.ts';
import type { Core } from './core.ts';
import { demandNoDatabases } from './database-change.ts';
import { removeSoon } from './deletion.ts';
import { demandPresent, type EnvironmentTarget, type ProjectTarget } from './lookup.ts';
import { mapPage, type Page, type PageAsk, pageOf } from './paging.ts';
import { demandNoStores } from './store-use.ts';

/** What every project is born with, and keeps. */
export const DEFAULT_ENVIRONMENT = 'production';

/** By name. */
export function listEnvironments(
  { store }: Core,
  _ctx: OpContext,
  project: ProjectTarget,
  ask: PageAsk = {},
): Page<Environment> {
  const page = pageOf(environmentsOfProject(store, project.id), (row) => row.slug, ask);
  return mapPage(page, (row) => present(row.slug, project.slug, row.created_at));
}

export function readEnvironment(_core: Core, _ctx: OpContext, environment: EnvironmentTarget): Environment {
  return present(environment.slug, environment.project.slug, environment.createdAt);
}

/** @throws DavitError conflict when the name is taken */
export function createEnvironment(
  core: Core,
  _ctx: OpContext,
  project: ProjectTarget,
  { slug }: { slug: string },
): Environment {
  const at = core.now();
  core.store.tx((tx) => {
    demandPresent(tx, project);
    if (environmentBySlugs(tx, project.slug, slug))
      throw new DavitError('conflict', `${project.slug} has an environment ${slug} already: choose another name.`);
    insertEnvironment(tx, project, slug, at);
    core.store.trail.about({ target: `${project.slug}/${slug}` });
  });
  return present(slug, project.slug, at);
}

/**
 * Deletes an environment with its apps. Its name is free when this is on record; what runs is taken down after.
 * @throws DavitError conflict for `production`, and naming the databases in it
 */
export async function deleteEnvironment(core: Core, ctx: OpContext, environment: EnvironmentTarget): Promise<void> {
  const { slug, project } = environment;
  if (slug === DEFAULT_ENVIRONMENT) {
    throw new DavitError('conflict', `${slug} goes with its project only: delete the project, or the apps in ${slug}.`);
  }
  const at = core.now();
  core.store.tx((tx) => {
    demandNoDatabases(databasesOfEnvironment(tx, environment.id), `${project.slug}/${slug}`);
    demandNoStores(tx, project, environment.id);
    for (const app of appsOfEnvironment(tx, environment.id)) markAppDeleted(tx, app.id, at);
    markEnvironmentDeleted(tx, { id: environment.id, slug, project: project.slug }, at);
  });
  await removeSoon(core, ctx);
}

function present(slug: string, project: string, createdAt: number): Environment {
  return { slug, project, created_at: timestamp(createdAt) };
}
