import { changeInstall } from '../../../db/tables/template-install.ts';
import type { TaskKind, TaskStep } from '../../tasks/kind.ts';
import type { TemplatesDeps } from '../deps.ts';
import { asRequester, contextOf, type InstallTask, type InstallWork } from './context.ts';
import { removeDatabases } from './databases.ts';
import { removeApps } from './remove-apps.ts';
import { removeStores } from './stores.ts';
import { removeEnvironment, removeProject } from './target.ts';

export interface UninstallInput extends InstallTask {
  keepData: boolean;
}

type Step = TaskStep<UninstallInput, TemplatesDeps>;

export const UNINSTALL: TaskKind<UninstallInput, TemplatesDeps> = {
  kind: 'install.uninstall',
  steps: () => STEPS,
  undoes: () => false,
  ended: (tx, { core, input }, { status }) => {
    if (status === 'succeeded')
      changeInstall(tx, input.install, { uninstalled_at: core.now(), newer: null }, core.now());
  },
};

const STEPS: readonly Step[] = [
  ...asRequester<UninstallInput>([
    { name: 'apps', final: true, run: (work) => removeApps(removalFor(work), endOf(work), 0) },
    { name: 'databases', final: true, run: (work) => removeDatabases(removalFor(work), endOf(work)) },
    { name: 'object_stores', final: true, run: (work) => removeStores(removalFor(work), endOf(work)) },
    { name: 'environment', final: true, run: (work) => removeEnvironment(removalFor(work)) },
  ]),
  // Do not check permissions, because the project may already be deleted. This step removes only an empty project.
  { name: 'project', final: true, run: (work) => removeProject(removalFor(work)) },
];

function endOf({ input }: InstallWork<UninstallInput>): 'keep' | 'trash' {
  return input.keepData ? 'keep' : 'trash';
}

function removalFor(work: InstallWork<UninstallInput>) {
  return { core: work.core, ctx: contextOf(work), installId: work.input.install };
}
