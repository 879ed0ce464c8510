import { DavitError } from '@davit/api';
import { isRestricted, type OpContext } from '../../auth/context.ts';
import type { UserRow } from '../../db/tables/user.ts';

/**
 * Rejects a request that uses a restricted API key to manage the user account of the key's owner. Otherwise, a
 * restricted API key could list and end all sessions and API keys of its owner.
 * @throws DavitError forbidden
 */
export function demandNotOwnAccount({ actor }: Pick<OpContext, 'actor'>, user: UserRow): void {
  const { credential, userId } = actor;
  if (credential === undefined || !isRestricted(credential) || userId !== user.id) return;
  const message =
    'A restricted API key cannot change the account of its owner. Sign in, or use an API key without restrictions.';
  throw new DavitError('forbidden', message);
}
