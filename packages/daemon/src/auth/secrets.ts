import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** 256 random bits as hexadecimal. */
export function randomSecret(): string {
  return randomBytes(32).toString('hex');
}

/** How keys and session tokens are stored: they are random, so a fast hash is enough. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret);
}

/** Compares in a time that tells nothing about where two texts differ, nor how long they are. */
export function equalSecrets(a: string, b: string): boolean {
  return timingSafeEqual(hash('sha256', a, 'buffer'), hash('sha256', b, 'buffer'));
}
