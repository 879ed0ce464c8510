/**
 * Finds existing databases and volumes that a new template installation can reuse with their data. Such data remains,
 * for example, after an uninstall or a restore.
 */
import type { Database, TemplateInstall } from '@davit/api';
import { holds, type Manifest } from '../templates/manifest.ts';
import type { InstallDraft } from './draft.ts';

type InstallTarget = Pick<InstallDraft, 'project' | 'environment' | 'inputs'>;

interface There {
  installs: readonly Pick<TemplateInstall, 'project' | 'environment' | 'status'>[];
  databases: readonly Pick<Database, 'reference' | 'project' | 'environment' | 'engine'>[];
}

/**
 * Returns the existing databases that an installation can use instead of new databases. They have the same engine and
 * are in the same environment.
 */
export function adoptable(
  manifest: Manifest,
  { project, environment, inputs }: InstallTarget,
  { installs, databases }: There,
) {
  const isHere = (one: { project: string; environment: string }) =>
    one.project === project && one.environment === environment;
  const here = databases.filter(isHere);
  const choices = manifest.databases
    .filter(({ when }) => holds(when, inputs))
    .map(({ key, engine }) => ({
      key,
      references: here.filter((one) => one.engine === engine).map(({ reference }) => reference),
    }))
    .filter(({ references }) => references.length > 0);
  const isLeft = installs.some((one) => isHere(one) && one.status === 'uninstalled');
  return { choices, hasVolumes: isLeft && manifest.apps.some(({ volumes }) => volumes.length > 0) };
}
