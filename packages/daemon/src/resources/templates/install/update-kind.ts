import { count } from '@davit/api';
import { changeInstall, resourcesOf } from '../../../db/tables/template-install.ts';
import type { TaskKind, TaskStep } from '../../tasks/kind.ts';
import type { TemplatesDeps } from '../deps.ts';
import { type Changes, changesOf } from '../plan/changes.ts';
import { storesWithNewLimits } from '../plan/store-changes.ts';
import { makeApp, wireApp } from './apps.ts';
import { attachApp } from './attachments.ts';
import { beforeOf, noteBefore } from './before.ts';
import type { Build } from './build.ts';
import { asRequester, contextOf, type InstallTask, type InstallWork, withSameTarget } from './context.ts';
import { limitDatabases, makeDatabases, removeDatabase } from './databases.ts';
import { deployAgain, deployAll } from './deploy.ts';
import { type AppEdit, editOf, editSettings, editWires, undoOf } from './edit-app.ts';
import { giveBackAdopted, type VolumeConsent } from './kept-volumes.ts';
import { presentOnly } from './present-only.ts';
import { type InstalledRelease, installRecord, sealInstalled, sealRelease } from './record.ts';
import { demandConsentAgain, type RemovalConsent, removedApps } from './removals.ts';
import { dropVolumes, removeApp } from './remove-apps.ts';
import { buildOf } from './resolve-release.ts';
import { limitStores, makeStores, removeStore } from './stores.ts';

export interface UpdateInput extends InstallTask {
  next: InstalledRelease;
  /**
   * User's consent to the removal of apps that the new release does not contain. The volumes and databases of these
   * apps stay.
   */
  remove: RemovalConsent;
  keepFailed: boolean;
  /**
   * User's permission to reuse volumes of deleted apps in the update. The field is absent if Davit did not ask the
   * user.
   */
  adopt?: VolumeConsent;
}

type Step = TaskStep<UpdateInput, TemplatesDeps>;

export const UPDATE: TaskKind<UpdateInput, TemplatesDeps> = kindOf('install.update');
export const ROLLBACK: TaskKind<UpdateInput, TemplatesDeps> = kindOf('install.rollback');

function kindOf(kind: 'install.update' | 'install.rollback'): TaskKind<UpdateInput, TemplatesDeps> {
  return {
    kind,
    steps: () => CHECKED,
    undoes: ({ input }) => !input.keepFailed,
    ended(tx, { core, input: { install, next } }, { status }) {
      if (status !== 'succeeded') return;
      const before = installRecord(core, tx, install);
      const { title, origin, names } = next;
      const change = {
        ...{ title, origin: JSON.stringify(origin), names: JSON.stringify(names) },
        ...sealInstalled(core, install, next),
        ...{ previous: sealRelease(core, install, before), newer: null },
      };
      changeInstall(tx, install, change, core.now());
    },
  };
}

/**
 * Installed release and new release of a template, and the differences between the two releases. Resources that do not
 * exist any more are omitted.
 */
interface Both {
  from: Build;
  to: Build;
  changes: Changes;
}

/**
 * Reads the installed and the new release. Each step reads the releases again, because an earlier step may have created
 * databases with new addresses.
 */
function both(work: InstallWork<UpdateInput>): Both {
  const { core, input } = work;
  const record = installRecord(core, core.store, input.install);
  const from = buildOf(work, record);
  /*
   * Ignore the user's permission to reuse volumes in the installation, because this permission does not apply to
   * updates.
   */
  const adopt = { ...record.adopt, ...(input.adopt ?? { volumes: false }) };
  const to = buildOf(work, { ...record, adopt }, input.next);
  return { from, to, changes: presentOnly(core.store, input.install, changesOf(from, to)).changes };
}

const STEPS: readonly Step[] = [
  {
    name: 'compare',
    run: async (work) => {
      const { changes } = both(work);
      demandConsentAgain(changes, work.input.remove);
      noteBefore(work, changes);
      const { add, change, remove } = changes.apps;
      work.log(`The release adds ${count(add.length, 'app')}, changes ${change.length} and removes ${remove.length}.`);
    },
    // Steps are undone in reverse order. So all settings are already restored, and the apps can be deployed again.
    undo: async (work) => {
      const before = beforeOf(work);
      if (before === null) return;
      const { from, changes } = both(work);
      await deployAgain(from, changes.apps.change, before);
      for (const { to } of changes.apps.change) await dropVolumes(from, to.reference, before.at);
    },
  },
  {
    name: 'databases',
    run: async (work, signal) => {
      const { to, changes } = both(work);
      await makeDatabases({ ...to, wanted: { ...to.wanted, databases: changes.databases.add } }, signal);
      await limitDatabases(to, changes.databases.change);
    },
    undo: async (work) => {
      const { to, changes } = both(work);
      const { limits = {} } = beforeOf(work) ?? {};
      await limitDatabases(
        to,
        Object.entries(limits).map(([reference, of]) => ({ reference, limits: of })),
      );
      for (const { reference } of made(work, changes.databases.add)) await removeDatabase(to, reference, 'destroy');
    },
  },
  {
    name: 'object_stores',
    run: async (work, signal) => {
      const { to, changes } = both(work);
      await limitStores(to, storesWithNewLimits(changes.stores.change));
      // Existing object stores also need the buckets that the new release adds.
      const filled = changes.stores.change.filter(({ buckets }) => buckets.length > 0).map((change) => change.to);
      await makeStores({ ...to, wanted: { ...to.wanted, stores: [...changes.stores.add, ...filled] } }, signal);
    },
    undo: async (work) => {
      const { to, changes } = both(work);
      const { storeLimits = {} } = beforeOf(work) ?? {};
      await limitStores(
        to,
        Object.entries(storeLimits).map(([reference, limits]) => ({ reference, limits })),
      );
      for (const { reference } of made(work, changes.stores.add)) await removeStore(to, reference, 'destroy');
    },
  },
  {
    name: 'apps',
    run: async (work) => {
      const { from, to, changes } = both(work);
      for (const app of changes.apps.add) await makeApp(to, app);
      for (const change of changes.apps.change) await editSettings(editOf(from, to, change));
    },
    undo: async (work) => {
      giveBackAdopted(work);
      for (const edit of undoing(work)) await editSettings(edit);
      for (const { reference } of made(work, both(work).changes.apps.add)) await removeNew(work, reference);
    },
  },
  {
    name: 'variables',
    run: async (work) => {
      const { from, to, changes } = both(work);
      for (const app of changes.apps.add) {
        attachApp(to, app);
        await wireApp(to, app);
      }
      for (const change of changes.apps.change) await editWires(editOf(from, to, change));
    },
    undo: async (work) => {
      for (const edit of undoing(work)) await editWires(edit);
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
      const removal = { core: work.core, ctx: contextOf(work), installId: work.input.install };
      const rows = resourcesOf(work.core.store, work.input.install);
      for (const { reference } of removedApps(changes, work.input.remove)) {
        const row = rows.find((one) => one.kind === 'app' && one.reference === reference);
        if (row !== undefined) await removeApp(removal, row, 'keep', 0);
      }
    },
  },
];

const CHECKED = asRequester(withSameTarget(STEPS));

function undoing(work: InstallWork<UpdateInput>): AppEdit[] {
  const before = beforeOf(work);
  if (before === null) return [];
  const { from, to, changes } = both(work);
  return changes.apps.change.flatMap((change) => undoOf(from, to, change, before) ?? []);
}

/**
 * Returns the resources that this update created, so that they can be removed after a failure. Resources of earlier
 * releases are omitted, because they contain data.
 */
function made<T extends { reference: string }>(work: InstallWork<UpdateInput>, things: readonly T[]): T[] {
  const { there = [] } = beforeOf(work) ?? {};
  return things.filter(({ reference }) => !there.includes(reference));
}

async function removeNew(work: InstallWork<UpdateInput>, reference: string): Promise<void> {
  const { core, input } = work;
  const row = resourcesOf(core.store, input.install).find((one) => one.kind === 'app' && one.reference === reference);
  const { at: since = 0 } = beforeOf(work) ?? {};
  if (row === undefined) return;
  await removeApp({ core, ctx: contextOf(work), installId: input.install }, row, 'destroy', since);
}
