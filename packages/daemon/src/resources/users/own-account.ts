import { DavitError } from '@davit/api';
import { isRestricted, type OpContext } from '../../auth/context.ts';
import type { UserRow } from '../../db/tables/user.ts';

/**
 * Prevents a restricted API key from changing the account of its owner. Otherwise, the API key could end all sessions
 * and all API keys of the owner.
 * @throws DavitError forbidden
 */
export function demandNotOwnAccount({ actor }: Pick<OpContext, 'actor'>, user: UserRow): void {
  const { credential, userId } = actor;
  if (credential === undefined || !isRestricted(credential) || userId !== user.id) return;
  const message =
    'A restricted API key cannot change the account of its owner. Sign in, or use an API key without restrictions.';
  throw new DavitError('forbidden', message);
}
