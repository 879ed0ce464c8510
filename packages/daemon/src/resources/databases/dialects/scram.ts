/**
 * SCRAM verifiers, which are PostgreSQL's hashes of passwords (RFC 5803). SQL statements and logs contain the verifier
 * instead of the password.
 */
import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';

const ITERATIONS = 4_096;

const VERIFIER = /^SCRAM-SHA-256\$4096:([^$]+)\$/;

/**
 * Returns whether a SCRAM verifier (PostgreSQL's hash of a password) matches a password. The verifier can have any
 * salt.
 */
export function isVerifierOf(verifier: string, password: string): boolean {
  const salt = VERIFIER.exec(verifier)?.[1];
  return salt !== undefined && scramVerifier(password, Buffer.from(salt, 'base64')) === verifier;
}

/**
 * Returns a SCRAM verifier, which is PostgreSQL's hash of a password.
 * @param password printable ASCII characters only, because other characters would need Unicode normalization
 */
export function scramVerifier(password: string, salt: Buffer = randomBytes(16)): string {
  const salted = pbkdf2Sync(password, salt, ITERATIONS, 32, 'sha256');
  const hmac = (text: string) => createHmac('sha256', salted).update(text).digest();
  const storedKey = createHash('sha256').update(hmac('Client Key')).digest('base64');
  const serverKey = hmac('Server Key').toString('base64');
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString('base64')}$${storedKey}:${serverKey}`;
}
