/** What somebody may do in the instance's own registry. Deletion and the list of everything are nobody's. */
import { allows } from '@davit/api';
import { quote } from '@davit/service';
import type { Actor } from '../context.ts';
import type { RegistryAction } from '../registry/registry.ts';
import { type AppTarget, appTarget } from '../release/app-target.ts';
import { appBySlugs } from '../store/app.ts';
import { leftBefore } from '../store/repository.ts';
import type { Reader } from '../store/store.ts';
import { sees } from './lookup.ts';

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

function seenApp(db: Reader, actor: Actor, repository: string): AppTarget | undefined {
  const app = appOf(db, repository);
  return app && sees(actor, app.project.id) ? app : undefined;
}

function appOf(db: Reader, repository: string): AppTarget | undefined {
  const [project = '', environment = '', name = '', ...rest] = repository.split('/');
  const row = rest.length === 0 ? appBySlugs(db, project, environment, name) : undefined;
  return row && appTarget(row);
}
