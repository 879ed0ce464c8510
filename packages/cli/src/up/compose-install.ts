import type { InstallPlan, TemplateInstall } from '@davit/api';
import { CliError } from '../errors/exit.ts';

interface ComposeIdentity {
  /** ID of the Compose file from `.davit/compose.json`. `null` if the Compose file has no ID yet. */
  fileId: string | null;
  /** ID of the installation from the option `--install`. */
  install: string | undefined;
  /** Name of the project from the option `--project`. */
  project: string | undefined;
}

/**
 * Finds the installation of a Compose file in the environment of the plan. Returns `null` if the Compose file is not
 * installed yet.
 * @throws CliError with exit `conflict` if another Compose file was installed in the environment
 * @throws CliError with exit `conflict` if the file was installed in another project
 * @throws CliError with exit `not_found` if the installation from `--install` does not exist
 */
export function installOfFile(
  installs: readonly TemplateInstall[],
  planned: Pick<InstallPlan, 'project' | 'environment'>,
  { fileId, install, project }: ComposeIdentity,
): TemplateInstall | null {
  const live = installs.filter(
    ({ origin, status }) => origin.kind === 'file' && status !== 'uninstalled' && status !== 'failed',
  );
  const there = live.filter((one) => one.project === planned.project && one.environment === planned.environment);
  const target = `${planned.project}/${planned.environment}`;
  if (install !== undefined) {
    const chosen = there.find(({ id }) => String(id) === install);
    if (chosen !== undefined) return chosen;
    throw new CliError(
      'not_found',
      `There is no installation ${install} of a file in ${target}. List the installations: davit template installed`,
    );
  }
  const own = (one: TemplateInstall) => fileId !== null && one.origin.file_id === fileId;
  const found = there.find(own);
  if (found !== undefined) return found;
  if (there.length > 0) throw otherFile(target, there);
  const elsewhere = live.find((one) => own(one) && one.environment === planned.environment);
  if (elsewhere === undefined || project !== undefined) return null;
  throw new CliError(
    'conflict',
    `This file is already installed in ${elsewhere.project}/${elsewhere.environment} (installation ${elsewhere.id}). Nothing was changed. To update this installation, add --project ${elsewhere.project}. To install the file again, add --project ${planned.project}.`,
  );
}

function otherFile(target: string, there: readonly TemplateInstall[]): CliError {
  const listed = there.map((one) => `installation ${one.id} with ${namesOf(one)}`).join('; ');
  return new CliError(
    'conflict',
    `Another Compose file is already installed in ${target}: ${listed}. Nothing was changed. To deploy this file to another project, add --project <name>. If it belongs to the same application, add --install ${there.length === 1 ? there[0]?.id : '<id>'}.`,
  );
}

function namesOf({ resources }: TemplateInstall): string {
  const names = resources.filter(({ kind }) => kind === 'app').map(({ name }) => name);
  return names.length === 0 ? 'no apps' : names.join(', ');
}
