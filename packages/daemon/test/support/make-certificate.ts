/** Certificates for uploads. */
import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';

const DAY_MS = 86_400_000;
const EC = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

export interface MadeCertificate {
  /** PEM of the certificate, and of its issuer if an authority signed it. */
  certificate: string;
  /** Private key in PEM (PKCS #8). */
  key: string;
}

export interface Making {
  /** Validity in days from now. Negative if the certificate has expired. */
  days?: number;
  algorithm?: webcrypto.EcKeyGenParams | webcrypto.RsaHashedKeyGenParams;
  issuer?: TestAuthority;
  isAuthority?: boolean;
  /** Names that are not hosts. */
  others?: readonly { type: 'url' | 'email' | 'ip'; value: string }[];
}

/** A certificate authority for tests. */
export interface TestAuthority extends MadeCertificate {
  keys: webcrypto.CryptoKeyPair;
}

/** Creates a certificate for hosts. The certificate is self-signed unless an authority is given. */
export async function makeCertificate(hosts: string[], making: Making = {}): Promise<TestAuthority> {
  x509.cryptoProvider.set(webcrypto as Crypto);
  const { days = 30, algorithm = EC, issuer, isAuthority = false, others = [] } = making;
  const keys = (await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])) as webcrypto.CryptoKeyPair;
  const names = [...others, ...hosts.map((value) => ({ type: 'dns' as const, value }))];
  const subject = `CN=${isAuthority ? 'test authority' : 'test'} ${hosts[0] ?? ''}`;
  const signer = issuer === undefined ? null : new x509.X509Certificate(issuer.certificate);
  const made = await x509.X509CertificateGenerator.create({
    subject,
    issuer: signer?.subject ?? subject,
    notBefore: new Date(Date.now() - 60 * DAY_MS),
    notAfter: new Date(Date.now() + days * DAY_MS),
    signingAlgorithm: issuer === undefined ? { ...algorithm, hash: 'SHA-256' } : EC,
    publicKey: keys.publicKey,
    signingKey: (issuer?.keys ?? keys).privateKey,
    extensions: [
      ...(isAuthority ? [new x509.BasicConstraintsExtension(true, undefined, true)] : []),
      ...(names.length > 0 ? [new x509.SubjectAlternativeNameExtension(names)] : []),
    ],
  });
  const chain = [made.toString('pem'), ...(issuer === undefined ? [] : [issuer.certificate])];
  return { certificate: `${chain.join('\n')}\n`, key: await pemOf(keys.privateKey), keys };
}

async function pemOf(key: CryptoKey): Promise<string> {
  const text = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', key)).toString('base64');
  return `-----BEGIN PRIVATE KEY-----\n${text.replace(/(.{64})/g, '$1\n').trimEnd()}\n-----END PRIVATE KEY-----\n`;
}
