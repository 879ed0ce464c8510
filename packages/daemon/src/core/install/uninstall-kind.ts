/** Removing what an installation made. Nothing of it is undone: what is left after a failure is removed by the next attempt. */
import { changeInstall } from '../../store/template-install.ts';
import type { TaskKind, TaskStep } from '../../tasks/kind.ts';
import type { Core } from '../core.ts';
import { contextOf, type Work } from './context.ts';
import { removeDatabases } from './databases.ts';
import { removeEnvironment, removeProject } from './place.ts';
import { removeApps } from './remove-apps.ts';
import { removeStores } from './stores.ts';

export interface UninstallInput {
  install: number;
  keepData: boolean;
}

type Step = TaskStep<UninstallInput, Core>;

export const UNINSTALL: TaskKind<UninstallInput, Core> = {
  kind: 'install.uninstall',
  steps: () => STEPS,
  undoes: () => false,
  ended: (tx, { core, input }, { status }) => {
    if (status === 'succeeded')
      changeInstall(tx, input.install, { uninstalled_at: core.now(), newer: null }, core.now());
  },
};

const STEPS: readonly Step[] = [
  { name: 'apps', final: true, run: (work) => removeApps(removalFor(work), endOf(work), 0) },
  { name: 'databases', final: true, run: (work) => removeDatabases(removalFor(work), endOf(work)) },
  { name: 'stores', final: true, run: (work) => removeStores(removalFor(work), endOf(work)) },
  { name: 'environment', final: true, run: (work) => removeEnvironment(removalFor(work)) },
  { name: 'project', final: true, run: (work) => removeProject(removalFor(work)) },
];

function endOf({ input }: Work<UninstallInput>): 'keep' | 'trash' {
  return input.keepData ? 'keep' : 'trash';
}

function removalFor(work: Work<UninstallInput>) {
  return { core: work.core, ctx: contextOf(work), installId: work.input.install };
}
