/** User's consent to the removal of apps that a new template release does not contain. */
import { refusedField } from '@davit/api';
import { TaskFailed } from '../../tasks/kind.ts';
import type { Changes } from '../plan/changes.ts';
import type { WantedApp } from '../plan/wanted.ts';

/**
 * Names of the apps that an update may remove. `false` keeps all apps. `true` removes all apps that the new release
 * does not contain, for example in a rollback.
 */
export type RemovalConsent = boolean | readonly string[];

/** Returns the apps that an update removes with the consent of the user. */
export function removedApps({ apps }: Changes, consent: RemovalConsent): WantedApp[] {
  return apps.remove.filter(({ name }) => (typeof consent === 'boolean' ? consent : consent.includes(name)));
}

/**
 * Checks the user's consent to an update.
 * @throws DavitError conflict if the update would remove an app without the consent of the user
 */
export function demandConsent(changes: Changes, consent: RemovalConsent): void {
  const message = whyNoConsent(changes, consent);
  if (message !== null) throw refusedField({ path: 'remove', code: 'mismatch', message }, { code: 'conflict' });
}

/**
 * Checks the consent again before a task changes anything, because the installation may have changed since the request.
 * @throws TaskFailed if the update would remove an app without the consent of the user
 */
export function demandConsentAgain(changes: Changes, consent: RemovalConsent): void {
  const message = whyNoConsent(changes, consent);
  if (message !== null) throw new TaskFailed(message);
}

function whyNoConsent({ apps }: Changes, consent: RemovalConsent): string | null {
  if (typeof consent === 'boolean') return null;
  const names = apps.remove.map(({ name }) => name).filter((name) => !consent.includes(name));
  if (names.length === 0) return null;
  return `The update would remove ${names.join(', ')} without a confirmation, so nothing was changed. Preview the update again, then confirm the removal of these apps.`;
}
