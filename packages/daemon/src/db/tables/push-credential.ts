/** Credentials that got tokens for pushes. When a push ends, its credential decides whether the push is accepted. */
import { columnsOf, type Row, select } from '../select.ts';
import type { Reader, Tx } from '../store.ts';
import { insert } from '../write.ts';

const CREDENTIAL = select(columnsOf('push_credentials', 'c'));

/** An API key or the password of a user. The user may have been deleted. */
export type PushCredentialRow = Row<typeof CREDENTIAL>;

export interface PushGrant {
  userId: number;
  username: string;
  /** Id of the API key, or `null` for the password. */
  keyId: number | null;
  /** Time at which the key expires, in milliseconds since the epoch, or `null` if it never expires. */
  expiresAt: number | null;
  repositories: readonly string[];
  at: number;
}

/** Time in milliseconds for which records are kept. A push that takes longer than this week is not deployed. */
export const PUSH_GRANTS_KEPT_MS = 7 * 24 * 60 * 60_000;

/**
 * Records that a credential gets a token for a push.
 * @returns the number of the credential, which is never reused
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
 * Returns the credentials that got a token for a push to a repository.
 * @param from and `to`: milliseconds since the epoch, both included
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
 * Records that a credential was revoked or replaced.
 * @param keyId id of the API key, or `null` for the password
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
