import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Returns 256 random bits in hexadecimal form. */
export function randomSecret(): string {
  return randomBytes(32).toString('hex');
}

/** Returns the stored form of a key or a session token. A fast hash is enough, because these secrets are random. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret);
}

/** Compares two texts. The duration reveals neither the position of a difference nor the lengths. */
export function equalSecrets(a: string, b: string): boolean {
  return timingSafeEqual(hash('sha256', a, 'buffer'), hash('sha256', b, 'buffer'));
}
