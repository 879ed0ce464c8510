/** What the status of an installation means for who looks at it. */
import type { InstallStatus, TemplateInstall } from '@davit/api';

/** It is there, or on its way. */
export function isThere(status: InstallStatus): boolean {
  return status !== 'failed' && status !== 'uninstalled';
}

/** What is left of it, to be adopted by a later one. */
export function keptOf({ resources }: Pick<TemplateInstall, 'resources'>) {
  return resources.filter(({ state }) => state === 'kept');
}

/** What can be done with an installation now; each null where it can, and else why not. */
export function whyNotNow({ status, task, previous_release, resources }: TemplateInstall) {
  const busy = task === null ? null : `Task ${task} is at work on it: wait for its end, or cancel it.`;
  const gone = status === 'uninstalled' ? 'It is uninstalled.' : null;
  const failed = status === 'failed' ? 'It did not come about: try it again or remove what is left of it.' : null;
  const isLeft = resources.some(({ state }) => state === 'made' || state === 'adopted');
  return {
    update: busy ?? gone ?? failed,
    rollback: busy ?? gone ?? failed ?? (previous_release === null ? 'There is no release before this one.' : null),
    retry: busy ?? (status === 'failed' ? null : 'Only one that failed is taken up again.'),
    uninstall: busy ?? gone ?? (status === 'failed' && !isLeft ? 'Nothing of it is left.' : null),
  };
}
