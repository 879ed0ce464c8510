/** Creates thousands of certificates quickly: all have the same key, and each has one host name. */
import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';
import type { RouteCertificate } from '../../packages/daemon/src/adapters/proxy/proxy.ts';

const EC = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

/** Returns a certificate for each host, named `<prefix><number>`. */
export async function manyCertificates(prefix: string, hosts: string[]): Promise<RouteCertificate[]> {
  x509.cryptoProvider.set(webcrypto as Crypto);
  const keys = await webcrypto.subtle.generateKey(EC, true, ['sign', 'verify']);
  const key = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64');
  const keyPem = `-----BEGIN PRIVATE KEY-----\n${key.replace(/(.{64})/g, '$1\n').trimEnd()}\n-----END PRIVATE KEY-----\n`;
  const certificates: RouteCertificate[] = [];
  for (const [n, host] of hosts.entries()) {
    const made = await x509.X509CertificateGenerator.createSelfSigned({
      ...{ name: `CN=${host}`, signingAlgorithm: EC, keys, notBefore: new Date(Date.now() - 60_000) },
      notAfter: new Date(Date.now() + 90 * 86_400_000),
      extensions: [new x509.SubjectAlternativeNameExtension([{ type: 'dns', value: host }])],
    });
    const pem = `${made.toString('pem')}\n${keyPem}`;
    certificates.push({ name: `${prefix}${n}`, hosts: [host], pem: () => pem });
  }
  return certificates;
}
