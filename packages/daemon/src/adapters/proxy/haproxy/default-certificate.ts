/**
 * Creates the self-signed certificate for hosts without a certificate. With this certificate, clients can connect after
 * a warning.
 */
import { webcrypto } from 'node:crypto';

const NAME = 'CN=Davit has no certificate for this host yet';
const YEARS = 20;

/** Creates a self-signed certificate and its private key, both in PEM format. */
export async function selfSigned(): Promise<string> {
  /*
   * These libraries are needed only once, to create one certificate. A static import would keep the libraries in
   * memory.
   */
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
