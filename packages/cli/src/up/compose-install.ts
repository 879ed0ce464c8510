import type { InstallPlan, TemplateInstall } from '@davit/api';
import { CliError } from '../errors/exit.ts';

interface ComposeIdentity {
  /** ID of the Compose file from `.davit/compose.json`, or `null` if the file has none. */
  fileId: string | null;
  /** ID of the installation from `--install`. */
  install: string | undefined;
}

/**
 * Finds the installation of a Compose file in the environment of the plan. Returns `null` if the file has to be
 * installed for the first time.
 * @throws CliError with exit `conflict` if another Compose file was installed in the environment
 * @throws CliError with exit `not_found` if `--install` names no such installation
 */
export function installOfFile(
  installs: readonly TemplateInstall[],
  { project, environment }: Pick<InstallPlan, 'project' | 'environment'>,
  { fileId, install }: ComposeIdentity,
): TemplateInstall | null {
  const there = installs
    .filter(({ origin, status }) => origin.kind === 'file' && status !== 'uninstalled' && status !== 'failed')
    .filter((one) => one.project === project && one.environment === environment);
  if (install !== undefined) {
    const chosen = there.find(({ id }) => String(id) === install);
    if (chosen !== undefined) return chosen;
    throw new CliError(
      'not_found',
      `Installation ${install} is not an installation of a file in ${project}/${environment}. List the installations: davit template installed`,
    );
  }
  const own = there.find(({ origin }) => fileId !== null && origin.file_id === fileId);
  if (own !== undefined) return own;
  const [other] = there;
  if (other === undefined) return null;
  throw new CliError(
    'conflict',
    `${project}/${environment} already has the apps of another Compose file: ${namesOf(other)} (installation ${other.id}). Nothing was changed. To deploy beside it, add --project <name>. If it is the same application, add --install ${other.id} to update it with this file.`,
  );
}

function namesOf({ resources }: TemplateInstall): string {
  const names = resources.filter(({ kind }) => kind === 'app').map(({ name }) => name);
  return names.length === 0 ? 'no apps' : names.join(', ');
}
