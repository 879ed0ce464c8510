import { DavitError } from '@davit/api';
import { isRestricted, type OpContext } from '../../auth/context.ts';
import type { UserRow } from '../../db/tables/user.ts';

/**
 * Checks that a request with a restricted API key does not manage the key's own user. The key could otherwise list and
 * end the sessions and API keys of the user.
 * @throws DavitError forbidden
 */
export function demandNotOwnAccount({ actor }: Pick<OpContext, 'actor'>, user: UserRow): void {
  const { credential, userId } = actor;
  if (credential === undefined || !isRestricted(credential) || userId !== user.id) return;
  const message =
    'A restricted API key cannot change the account of its owner. Sign in, or use an API key without restrictions.';
  throw new DavitError('forbidden', message);
}
