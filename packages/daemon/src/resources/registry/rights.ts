/** What somebody may do in the instance's own registry. Deletion and the list of everything are nobody's. */
import { allows } from '@davit/api';
import { quote } from '@davit/service';
import type { RegistryAction } from '../../adapters/registry/registry.ts';
import { type AppTarget, appTarget } from '../../app-spec/app-target.ts';
import type { Actor } from '../../auth/context.ts';
import { sees } from '../../authorization/lookup.ts';
import type { Reader } from '../../db/store.ts';
import { appBySlugs } from '../../db/tables/app.ts';
import { deploymentsOfApp } from '../../db/tables/deployment.ts';
import { projectBySlug } from '../../db/tables/project.ts';
import { leftBefore } from '../../db/tables/repository.ts';

/**
 * What an actor may do in a repository, which is there only as an app that is pushed to: pull who sees it, push who may
 * deploy it.
 * @param repository `project/environment/app`
 */
export function rightsInRepository(db: Reader, actor: Actor, repository: string): RegistryAction[] {
  const app = seenApp(db, actor, repository);
  if (app?.spec.source !== 'registry' || leftBefore(db, app) !== undefined) return [];
  return allows(actor.role, 'operate') ? ['pull', 'push'] : ['pull'];
}

/**
 * What the engine may do in a repository with the credential of one app: pull from the app's own repository, which also
 * holds what was promoted to it, for as long as the app is there and a deployment of it is kept.
 */
export function rightsOfPullingApp(db: Reader, appId: number, repository: string): RegistryAction[] {
  const app = appOf(db, repository);
  if (app?.id !== appId || leftBefore(db, app) !== undefined) return [];
  return deploymentsOfApp(db, appId, 1).length > 0 ? ['pull'] : [];
}

/** Why an actor may not push to a repository and what to do, in one sentence; the same for missing and not seen. */
export function whyNoPush(db: Reader, actor: Actor, repository: string): string {
  const app = seenApp(db, actor, repository);
  const name = quote(repository);
  if (repository.split('/').length !== 3) {
    return `There is no app ${name}: push to one by its whole name, project/environment/app.`;
  }
  if (app === undefined) {
    return `There is no app ${name} that you may push to: create it with the source registry, or check the project, the environment and the name.`;
  }
  if (app.spec.source !== 'registry') {
    return `The app ${name} takes its image from somewhere else: set its source to registry to push to it.`;
  }
  const left = leftBefore(db, app);
  if (left !== undefined) {
    const when = left.project_id === null ? 'a few minutes' : 'a moment';
    return `The images of an earlier app ${name} are being removed: push again in ${when}.`;
  }
  return `Your role ${actor.role} may pull from ${name} and not push to it: ask for the role member.`;
}

/** The app that a repository is of; undefined for none that is pushed to, and for what an earlier app of its name left. */
export function registryAppBy(db: Reader, repository: string): AppTarget | undefined {
  const app = appOf(db, repository);
  return app?.spec.source === 'registry' && leftBefore(db, app) === undefined ? app : undefined;
}

/**
 * Whether an actor sees the project that a repository was of at a time, also after its app is deleted. A project that was
 * made later has the name of an earlier one.
 * @param at milliseconds since the epoch
 */
export function seesRepository(db: Reader, actor: Actor, repository: string, at: number): boolean {
  if (actor.projects === null) return true;
  const project = projectBySlug(db, repository.split('/', 1).join());
  return project !== undefined && project.created_at <= at && sees(actor, project.id);
}

function seenApp(db: Reader, actor: Actor, repository: string): AppTarget | undefined {
  const app = appOf(db, repository);
  return app && sees(actor, app.project.id) ? app : undefined;
}

function appOf(db: Reader, repository: string): AppTarget | undefined {
  const [project = '', environment = '', name = '', ...rest] = repository.split('/');
  const row = rest.length === 0 ? appBySlugs(db, project, environment, name) : undefined;
  return row && appTarget(row);
}
