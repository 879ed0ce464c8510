import { changeInstall, installById } from '../../../db/tables/template-install.ts';
import type { TaskKind, TaskStep } from '../../tasks/kind.ts';
import type { TemplatesDeps } from '../deps.ts';
import { makeApp, wireApp } from './apps.ts';
import { attachApp } from './attachments.ts';
import type { Build } from './build.ts';
import { asRequester, contextOf, type InstallTask, type InstallWork, withSameTarget } from './context.ts';
import { makeDatabases, removeDatabases } from './databases.ts';
import { deployAll } from './deploy.ts';
import { giveBackAdopted } from './kept-volumes.ts';
import { installRecord, wantedIn } from './record.ts';
import { removeApps } from './remove-apps.ts';
import { buildOf } from './resolve-release.ts';
import { makeStores, removeStores } from './stores.ts';
import { makeEnvironment, makeProject, removeEnvironment, removeProject } from './target.ts';

export interface InstallInput extends InstallTask {
  keepFailed: boolean;
}

type Step = TaskStep<InstallInput, TemplatesDeps>;

export const INSTALL: TaskKind<InstallInput, TemplatesDeps> = {
  kind: 'install.install',
  steps: (work) => {
    const { databases, stores } = wantedIn(installRecord(work.core, work.core.store, work.input.install));
    const inside = [
      ...(databases.length > 0 ? [DATABASES] : []),
      ...(stores.length > 0 ? [STORES] : []),
      ...[APPS, VARIABLES, DEPLOY],
    ];
    return asRequester([PROJECT, ENVIRONMENT, ...withSameTarget(inside)]);
  },
  undoes: ({ input }) => !input.keepFailed,
  ended: (tx, { core, input }, { status }) => {
    if (status !== 'succeeded') return;
    const at = core.now();
    changeInstall(tx, input.install, { installed_at: at, uninstalled_at: null }, at);
  },
};

const PROJECT: Step = {
  name: 'project',
  run: async (work) => makeProject(buildFor(work)),
  undo: (work) => removeProject(removalFor(work)),
};

const ENVIRONMENT: Step = {
  name: 'environment',
  run: async (work) => makeEnvironment(buildFor(work)),
  undo: (work) => removeEnvironment(removalFor(work)),
};

const DATABASES: Step = {
  name: 'databases',
  run: (work, signal) => makeDatabases(buildFor(work), signal),
  undo: (work) => removeDatabases(removalFor(work), 'destroy'),
};

const STORES: Step = {
  name: 'object_stores',
  run: (work, signal) => makeStores(buildFor(work), signal),
  undo: (work) => removeStores(removalFor(work), 'destroy'),
};

const APPS: Step = {
  name: 'apps',
  run: async (work, signal) => {
    const build = buildFor(work);
    for (const app of build.wanted.apps) await makeApp(build, app, signal);
  },
  undo: (work) => {
    giveBackAdopted(work);
    return removeApps(removalFor(work), 'destroy', startOf(work));
  },
};

const VARIABLES: Step = {
  name: 'variables',
  run: async (work) => {
    const build = buildFor(work);
    for (const app of build.wanted.apps) {
      attachApp(build, app);
      await wireApp(build, app);
    }
  },
};

const DEPLOY: Step = {
  name: 'deploy',
  run: (work, signal) => {
    const build = buildFor(work);
    const apps = new Set(build.wanted.apps.map(({ key }) => key));
    return deployAll(build, { apps, moment: 'install' }, signal);
  },
};

function buildFor(work: InstallWork<InstallInput>): Build {
  return buildOf(work, installRecord(work.core, work.core.store, work.input.install));
}

function removalFor(work: InstallWork<InstallInput>) {
  return { core: work.core, ctx: contextOf(work), installId: work.input.install };
}

/** Returns the creation time of the installation. Volumes that are older do not belong to the installation. */
function startOf({ core, input }: InstallWork<InstallInput>): number {
  return installById(core.store, input.install)?.created_at ?? core.now();
}
