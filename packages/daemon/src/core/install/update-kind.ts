/** Bringing an installation to another release. When it fails, everything is brought back to the release that was there. */

import { AppPatch } from '@davit/api';
import { type AppChange, type Changes, changesOf } from '../../installs/plan/changes.ts';
import { appTarget } from '../../release/app-target.ts';
import { domainsOfApp } from '../../store/domain.ts';
import { tcpPortsOfApp } from '../../store/tcp-port.ts';
import { changeInstall, installById, resourcesOf } from '../../store/template-install.ts';
import type { TaskKind, TaskStep } from '../../tasks/kind.ts';
import { patching } from '../app-settings.ts';
import type { Core } from '../core.ts';
import { removeDomain } from '../domain.ts';
import { saveSettings } from '../save-settings.ts';
import { removeTcpPort } from '../tcp-port.ts';
import { patchingVariables } from '../variable-level.ts';
import { changeVariables, ofApp } from '../variables.ts';
import { admitted, appOf, equipApp, findApp, giveHosts, makeApp, variablesOf, wireApp, withinMachine } from './apps.ts';
import { attachApp, detachApp } from './attachments.ts';
import { type Build, buildOf } from './build.ts';
import { contextOf, type Work } from './context.ts';
import { limitDatabases, makeDatabases, removeDatabase } from './databases.ts';
import { deployAll } from './deploy.ts';
import { type InstalledRelease, recordOf, sealAnswers, sealRelease } from './record.ts';
import { removeApp } from './remove-apps.ts';
import { makeStores, removeStore } from './stores.ts';

export interface UpdateInput {
  install: number;
  next: InstalledRelease;
  /** What the release does not have any more is removed, but for data. */
  remove: boolean;
  keepFailed: boolean;
}

type Step = TaskStep<UpdateInput, Core>;

export const UPDATE: TaskKind<UpdateInput, Core> = kindOf('install.update');
export const ROLLBACK: TaskKind<UpdateInput, Core> = kindOf('install.rollback');

function kindOf(kind: 'install.update' | 'install.rollback'): TaskKind<UpdateInput, Core> {
  return {
    kind,
    steps: () => STEPS,
    undoes: ({ input }) => !input.keepFailed,
    ended(tx, { core, input: { install, next } }, { status }) {
      if (status !== 'succeeded') return;
      const before = recordOf(core, tx, install);
      const { title, origin, manifest, names } = next;
      const change = {
        ...{ title, origin: JSON.stringify(origin), manifest: JSON.stringify(manifest), names: JSON.stringify(names) },
        ...{ answers: sealAnswers(core, install, next), previous: sealRelease(core, install, before), newer: null },
      };
      changeInstall(tx, install, change, core.now());
    },
  };
}

/** Both releases, and what is different. */
interface Both {
  from: Build;
  to: Build;
  changes: Changes;
}

/** Made anew for each step: databases that a step has made are known to the next. */
function both(work: Work<UpdateInput>): Both {
  const record = recordOf(work.core, work.core.store, work.input.install);
  const from = buildOf(work, record);
  // An app that a release drops and a later one has again finds its volumes.
  const to = { ...buildOf(work, record, work.input.next), adoptVolumes: true };
  return { from, to, changes: changesOf(from, to) };
}

const STEPS: readonly Step[] = [
  {
    name: 'compare',
    run: async (work) => {
      const { changes } = both(work);
      const { add, change, remove } = changes.apps;
      work.log(
        `${add.length} apps are new, ${change.length} change, ${remove.length} are not in the release any more.`,
      );
    },
    // The last to be undone: everything is as it was, and runs as it did once it is deployed.
    undo: (work) => deployAgain(work),
  },
  {
    name: 'databases',
    run: async (work, signal) => {
      const { to, changes } = both(work);
      await makeDatabases({ ...to, wanted: { ...to.wanted, databases: changes.databases.add } }, signal);
      await limitDatabases(to, changes.databases.change);
    },
    undo: async (work) => {
      const { from, to, changes } = both(work);
      const old = new Set(changes.databases.change.map(({ key }) => key));
      await limitDatabases(
        from,
        from.wanted.databases.filter(({ key }) => old.has(key)),
      );
      for (const { reference } of changes.databases.add) await removeDatabase(to, reference, 'destroy');
    },
  },
  {
    name: 'stores',
    run: async (work, signal) => {
      const { to, changes } = both(work);
      await makeStores({ ...to, wanted: { ...to.wanted, stores: changes.stores.add } }, signal);
    },
    undo: async (work) => {
      const { to, changes } = both(work);
      for (const { reference } of changes.stores.add) await removeStore(to, reference, 'destroy');
    },
  },
  {
    name: 'apps',
    run: async (work) => {
      const { to, changes } = both(work);
      for (const app of changes.apps.add) await makeApp(to, app);
      for (const change of changes.apps.change) await changeSettings(to, change);
    },
    undo: async (work) => {
      const { from, to, changes } = both(work);
      for (const change of changesOf(to, from).apps.change) await changeSettings(from, change);
      for (const { reference } of changes.apps.add) await removeNew(work, reference);
    },
  },
  {
    name: 'variables',
    run: async (work) => {
      const { to, changes } = both(work);
      for (const app of changes.apps.add) {
        attachApp(to, app);
        await wireApp(to, app);
      }
      for (const change of changes.apps.change) await changeWires(to, change);
    },
    undo: async (work) => {
      const { from, to } = both(work);
      for (const change of changesOf(to, from).apps.change) await changeWires(from, change);
    },
  },
  {
    name: 'deploy',
    run: (work, signal) => {
      const { to, changes } = both(work);
      const changed = [...changes.apps.add, ...changes.apps.change.map((change) => change.to)];
      return deployAll(to, { apps: new Set(changed.map(({ key }) => key)), moment: 'update' }, signal);
    },
  },
  {
    name: 'remove',
    final: true,
    run: async (work) => {
      const { changes } = both(work);
      if (!work.input.remove) return;
      const removal = { core: work.core, ctx: contextOf(work), installId: work.input.install };
      const rows = resourcesOf(work.core.store, work.input.install);
      for (const { reference } of changes.apps.remove) {
        const row = rows.find((one) => one.kind === 'app' && one.reference === reference);
        if (row !== undefined) await removeApp(removal, row, 'keep', 0);
      }
    },
  },
];

/** Lays over the settings what is different, and nothing else: what people changed themselves stays. */
async function changeSettings(build: Build, { to, patch, tcp }: AppChange): Promise<void> {
  const { core, ctx } = build;
  if (findApp(core, to.reference) === undefined) return;
  const app = appOf(core, to.reference);
  if (Object.keys(patch).length > 0) {
    const limits = 'limits' in patch ? { limits: withinMachine(core, to.create.limits) } : {};
    const next = patching(admitted(AppPatch, { ...patch, ...limits }));
    core.store.tx((tx) => void saveSettings(core, ctx, tx, app.id, next));
    core.nudgeRoutes();
  }
  for (const { container } of tcp.remove) {
    const port = tcpPortsOfApp(core.store, app.id).find((one) => one.container_port === container);
    if (port !== undefined) removeTcpPort(core, ctx, app, String(port.id));
  }
  await equipApp(build, to);
}

/** The same of attachments, variables and hosts. */
async function changeWires(build: Build, { to, variables, attach, domains }: AppChange): Promise<void> {
  const { core, ctx } = build;
  if (findApp(core, to.reference) === undefined) return;
  const gone = attach.remove.filter(
    (one) => !attach.add.some((two) => two.kind === one.kind && two.key === one.key && two.bucket === one.bucket),
  );
  for (const attachment of gone) detachApp(build, to, attachment);
  attachApp(build, to);
  const { set, secret } = variablesOf(build, to);
  const only = (name: string) => variables.set.includes(name);
  const patch = {
    set: Object.fromEntries(Object.entries(set).filter(([name]) => only(name))),
    secret: secret.filter(only),
    unset: variables.unset,
  };
  if (variables.set.length + variables.unset.length > 0)
    changeVariables(core, ctx, ofApp(appOf(core, to.reference)), patchingVariables(patch));
  for (const { host } of domains.remove) {
    const app = appOf(core, to.reference);
    const domain = domainsOfApp(core.store, app.id).find((one) => one.host === host);
    if (domain !== undefined) await removeDomain(core, ctx, app, String(domain.id));
  }
  await giveHosts(build, to);
}

/** What runs of an app is brought back to its settings, where a step got as far as to change it. */
async function deployAgain(work: Work<UpdateInput>): Promise<void> {
  const { from, changes } = both(work);
  const { core, ctx } = from;
  for (const { from: wanted } of changes.apps.change) {
    const row = findApp(core, wanted.reference);
    if (row === undefined) continue;
    const app = appTarget(row);
    if (app.liveRevision === null || app.liveRevision >= app.settingsRevision) continue;
    const trigger = { kind: 'template', by: ctx.actor.username, via: ctx.actor.via } as const;
    const id = await core.deploys.request(app, { tag: wanted.create.tag ?? 'latest', trigger });
    await core.deploys.ended(id, ctx.signal);
  }
}

async function removeNew(work: Work<UpdateInput>, reference: string): Promise<void> {
  const { core, input } = work;
  const row = resourcesOf(core.store, input.install).find((one) => one.kind === 'app' && one.reference === reference);
  const since = installById(core.store, input.install)?.updated_at ?? 0;
  if (row === undefined) return;
  await removeApp({ core, ctx: contextOf(work), installId: input.install }, row, 'destroy', since);
}
