/** What PostgreSQL keeps of a password (RFC 5803): said instead of the password, which so is in no statement and in no log. */
import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';

const ITERATIONS = 4_096;

const VERIFIER = /^SCRAM-SHA-256\$4096:([^$]+)\$/;

/** Whether this is a verifier of the password, with whatever salt. */
export function isVerifierOf(verifier: string, password: string): boolean {
  const salt = VERIFIER.exec(verifier)?.[1];
  return salt !== undefined && scramVerifier(password, Buffer.from(salt, 'base64')) === verifier;
}

/** @param password printable ASCII, which needs no preparation */
export function scramVerifier(password: string, salt: Buffer = randomBytes(16)): string {
  const salted = pbkdf2Sync(password, salt, ITERATIONS, 32, 'sha256');
  const hmac = (text: string) => createHmac('sha256', salted).update(text).digest();
  const storedKey = createHash('sha256').update(hmac('Client Key')).digest('base64');
  const serverKey = hmac('Server Key').toString('base64');
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString('base64')}$${storedKey}:${serverKey}`;
}
