/** The certificate for names that have none: a client is told that it is not the right one, and not that nobody is there. */
import { webcrypto } from 'node:crypto';

const NAME = 'CN=This host has no certificate yet';
const YEARS = 20;

/** A self-signed certificate and its key, as PEM. */
export async function selfSigned(): Promise<string> {
  // Asked for once in the life of an instance: its library is not held in memory for the rest of it.
  await import('reflect-metadata');
  const { X509CertificateGenerator } = await import('@peculiar/x509');
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const notBefore = new Date();
  const notAfter = new Date(notBefore);
  notAfter.setFullYear(notAfter.getFullYear() + YEARS);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    ...{ serialNumber: '01', name: NAME, notBefore, notAfter, signingAlgorithm: algorithm, keys },
  });
  const key = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64');
  const lines = key.match(/.{1,64}/g) ?? [];
  return [certificate.toString('pem'), '-----BEGIN PRIVATE KEY-----', ...lines, '-----END PRIVATE KEY-----', ''].join(
    '\n',
  );
}
