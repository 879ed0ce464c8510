/**
 * Records the API key or password of each image push. At the end of a push, Davit accepts the image only if the API key
 * or password is still valid.
 */
import { columnsOf, type Row, select } from '../select.ts';
import type { Reader, Tx } from '../store.ts';
import { insert } from '../write.ts';

const CREDENTIAL = select(columnsOf('push_credentials', 'c'));

/** API key or password with which a user started an image push. The row stays after the user is deleted. */
export type PushCredentialRow = Row<typeof CREDENTIAL>;

export interface PushGrant {
  userId: number;
  username: string;
  /** Id of the API key, or `null` if the client used the user's password. */
  keyId: number | null;
  /** Expiry time of the API key in milliseconds since the epoch. `null` if the API key or password never expires. */
  expiresAt: number | null;
  repositories: readonly string[];
  at: number;
}

/**
 * Time in milliseconds for which Davit stores the API key or password of an image push. If a push takes longer, its
 * image is not deployed.
 */
export const PUSH_GRANTS_KEPT_MS = 7 * 24 * 60 * 60_000;

/**
 * Records the API key or password of an image push. Call this function when the client gets its registry token.
 * @returns the id of the row, which is never reused
 */
export function recordPushGrant(tx: Tx, grant: PushGrant): number {
  const id = validCredential(tx, grant) ?? insertCredential(tx, grant);
  for (const repository of grant.repositories) {
    tx.run(
      `INSERT INTO push_grants (repository, credential_id, granted_at) VALUES (?, ?, ?)
       ON CONFLICT (repository, credential_id) DO UPDATE SET granted_at = excluded.granted_at`,
      repository,
      id,
      grant.at,
    );
  }
  return id;
}

export function pushCredential(db: Reader, id: number): PushCredentialRow | undefined {
  return db.get(CREDENTIAL.from('push_credentials c WHERE c.id = ?'), id);
}

/**
 * Returns the API keys and passwords that got registry tokens to push to a repository between two times.
 * @param from start of the time range in milliseconds since the epoch. Both `from` and `to` are inclusive.
 */
export function pushCredentialsOf(db: Reader, repository: string, from: number, to: number): PushCredentialRow[] {
  return db.all(
    CREDENTIAL.from(
      `push_grants g JOIN push_credentials c ON c.id = g.credential_id
        WHERE g.repository = ? AND g.granted_at BETWEEN ? AND ? ORDER BY c.id`,
    ),
    repository,
    from,
    to,
  );
}

/**
 * Records that an API key or password was revoked or replaced. Image pushes with this API key or password are then no
 * longer accepted.
 * @param keyId id of the API key, or `null` for the user's password
 */
export function endPushCredential(tx: Tx, userId: number, keyId: number | null, at: number): void {
  tx.run(
    `UPDATE push_credentials SET ends_at = ?1
      WHERE user_id = ?2 AND key_id IS ?3 AND (ends_at IS NULL OR ends_at > ?1)`,
    at,
    userId,
    keyId,
  );
}

function validCredential(db: Reader, { userId, keyId, at }: PushGrant): number | undefined {
  const query = CREDENTIAL.from(
    `push_credentials c
      WHERE user_id = ? AND key_id IS ? AND (ends_at IS NULL OR ends_at > ?) ORDER BY id DESC LIMIT 1`,
  );
  return db.get(query, userId, keyId, at)?.id;
}

function insertCredential(tx: Tx, { userId, username, keyId, expiresAt, at }: PushGrant): number {
  tx.run('DELETE FROM push_grants WHERE granted_at < ?', at - PUSH_GRANTS_KEPT_MS);
  tx.run('DELETE FROM push_credentials WHERE id NOT IN (SELECT credential_id FROM push_grants)');
  const id = insert(tx, 'push_credentials', { user_id: userId, username, key_id: keyId, ends_at: expiresAt });
  return id;
}
