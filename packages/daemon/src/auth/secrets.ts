import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Returns 256 random bits in hexadecimal. */
export function randomSecret(): string {
  return randomBytes(32).toString('hex');
}

/**
 * Returns the hash of an API key or a session token for storage in the database. SHA-256 is enough, because these
 * secrets are random and cannot be guessed.
 */
export function hashSecret(secret: string): string {
  return hash('sha256', secret);
}

/**
 * Compares two secrets in constant time. The duration then does not reveal the lengths of the secrets or the position
 * of a difference.
 */
export function equalSecrets(a: string, b: string): boolean {
  return timingSafeEqual(hash('sha256', a, 'buffer'), hash('sha256', b, 'buffer'));
}
