/** Finds the user of a push, and checks that the user still had permission at the end of the push. */
import { allows } from '@davit/api';
import type { AppTarget } from '../../app-spec/app-target.ts';
import { projectIds } from '../../auth/actor.ts';
import { credentialOfSubject } from '../../auth/registry-keys.ts';
import { sees } from '../../authorization/lookup.ts';
import type { Reader } from '../../db/store.ts';
import {
  PUSH_GRANTS_KEPT_MS,
  type PushCredentialRow,
  pushCredential,
  pushCredentialsOf,
} from '../../db/tables/push-credential.ts';
import { userById } from '../../db/tables/user.ts';

/**
 * Credential with which an image was pushed. The value is `forgotten` if the credential's row was already deleted from
 * the database. It is `null` if the credential is unknown.
 */
export type Pusher = PushCredentialRow | 'forgotten' | null;

/**
 * Returns the credential (password or API key) with which an image was pushed.
 * @param subject subject of the registry token that was used for the push, or `null` if it is unknown
 */
export function pusherOf(db: Reader, subject: string | null): Pusher {
  const id = subject === null ? null : credentialOfSubject(subject);
  return id === null ? null : (pushCredential(db, id) ?? 'forgotten');
}

/** Returns the name of the user who pushed an image, or `null` if the user is unknown. */
export function usernameOf(pusher: Pusher): string | null {
  return pusher === null || pusher === 'forgotten' ? null : pusher.username;
}

/**
 * Returns an error message if a push is not accepted. Returns `null` if the push is accepted. The user must still have
 * the permission to push at the end of the push. If the user is unknown, all users who had the permission during the
 * last week must still have it.
 * @param at end of the push, in milliseconds since the epoch
 */
export function whyNotAuthorized(db: Reader, app: AppTarget, pusher: Pusher, at: number): string | null {
  if (pusher === 'forgotten') return 'This push took more than a week. Push the image again.';
  if (pusher !== null) return hasRights(db, app, pusher, at) ? null : whyEnded(pusher, at);
  const possible = pushCredentialsOf(db, app.reference, at - PUSH_GRANTS_KEPT_MS, at);
  const ended = possible.find((one) => !hasRights(db, app, one, at));
  if (ended === undefined) return null;
  return `This push may come from ${ended.username}, who no longer has the permission to push, so Davit does not deploy it. Push the image again.`;
}

function hasRights(db: Reader, app: AppTarget, { user_id, ends_at }: PushCredentialRow, at: number): boolean {
  const user = userById(db, user_id);
  if (hasEnded(ends_at, at) || user === undefined || user.blocked === 1) return false;
  return allows(user.role, 'operate') && sees({ projects: projectIds(user.projects) }, app.project.id);
}

function hasEnded(endsAt: number | null, at: number): boolean {
  return endsAt !== null && endsAt <= at;
}

function whyEnded({ key_id, ends_at }: PushCredentialRow, at: number): string {
  if (!hasEnded(ends_at, at))
    return 'The user who pushed this image no longer has the permission to push to this app. Push the image again as another user.';
  const what = key_id === null ? 'password' : 'API key';
  return `The ${what} of this push was no longer valid when the push ended. Push the image again.`;
}
