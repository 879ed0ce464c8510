/**
 * Permissions of users and of Docker in the instance's registry. No user can delete images or list all repositories
 * with the registry API.
 */
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
 * Returns a user's permissions in a repository. Users who can see the app may pull. Users who may deploy the app may
 * push.
 * @param repository `project/environment/app`
 */
export function rightsInRepository(db: Reader, actor: Actor, repository: string): RegistryAction[] {
  const app = seenApp(db, actor, repository);
  if (app?.spec.source !== 'registry' || leftBefore(db, app) !== undefined) return [];
  return allows(actor.role, 'operate') ? ['pull', 'push'] : ['pull'];
}

/**
 * Returns the permissions of Docker's credential for one app. The credential allows pulls from the app's own
 * repository, which also contains promoted images.
 */
export function rightsOfPullingApp(db: Reader, appId: number, repository: string): RegistryAction[] {
  const app = appOf(db, repository);
  if (app?.id !== appId || leftBefore(db, app) !== undefined) return [];
  return deploymentsOfApp(db, appId, 1).length > 0 ? ['pull'] : [];
}

/**
 * Returns the error message for a refused push. The message is the same for hidden and missing apps, so that it does
 * not show which apps exist.
 */
export function whyNoPush(db: Reader, actor: Actor, repository: string): string {
  const app = seenApp(db, actor, repository);
  const name = quote(repository);
  if (repository.split('/').length !== 3) {
    return `${name} is not the address of an app. Push to project/environment/app.`;
  }
  if (app === undefined) {
    return `The app ${name} does not exist, or you cannot push to it. Create it with the source “registry”, or check its address.`;
  }
  if (app.spec.source !== 'registry') {
    return `The app ${name} uses an image of another registry. Set its source to “registry” to push to it.`;
  }
  const left = leftBefore(db, app);
  if (left !== undefined) {
    const when = left.project_id === null ? 'a few minutes' : 'a moment';
    return `The images of an earlier app ${name} are being removed. Push again in ${when}.`;
  }
  return `Your role ${actor.role} can pull from ${name} but not push to it. Ask an admin for the role member.`;
}

/**
 * Returns the app that receives the pushes to a repository. Returns `undefined` if there is no app, or if the
 * repository still contains images of a deleted app.
 */
export function registryAppBy(db: Reader, repository: string): AppTarget | undefined {
  const app = appOf(db, repository);
  return app?.spec.source === 'registry' && leftBefore(db, app) === undefined ? app : undefined;
}

/**
 * Returns whether a user can see the project that owned a repository at a given time. The app may have been deleted
 * since. Later projects with the same name are ignored.
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
