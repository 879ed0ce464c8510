import type { InstallStatus, TemplateInstall } from '@davit/api';

/**
 * Returns whether a template is installed or is being installed. Returns `false` if the installation failed or the
 * template was uninstalled.
 */
export function isThere(status: InstallStatus): boolean {
  return status !== 'failed' && status !== 'uninstalled';
}

/** Returns the resources that remain after a template was uninstalled. A later installation can use these resources. */
export function keptOf({ resources }: Pick<TemplateInstall, 'resources'>) {
  return resources.filter(({ state }) => state === 'kept');
}

/**
 * Returns an object with one entry for each action on an installed template. The entry is the reason why the action is
 * not possible now, or `null` if it is possible.
 */
export function whyNotNow({ status, task, previous_release, resources }: TemplateInstall) {
  const busy = task === null ? null : `Task ${task} is running. Wait until it ends, or cancel it.`;
  const gone = status === 'uninstalled' ? 'This template was uninstalled.' : null;
  const failed = status === 'failed' ? 'The installation failed. Try again, or remove its resources.' : null;
  const isLeft = resources.some(({ state }) => state === 'made' || state === 'adopted');
  return {
    update: busy ?? gone ?? failed,
    rollback: busy ?? gone ?? failed ?? (previous_release === null ? 'There is no previous release.' : null),
    retry: busy ?? (status === 'failed' ? null : 'You can retry an installation only if it failed.'),
    uninstall:
      busy ??
      gone ??
      (status === 'failed' && !isLeft ? 'All resources of this installation were already removed.' : null),
  };
}
