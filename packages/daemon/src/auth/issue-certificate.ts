/**
 * Creates a certificate authority (CA) and server certificates with the library `@peculiar/x509`. The library also
 * chooses random serial numbers.
 */
import { createHash, createPrivateKey, createPublicKey, KeyObject, webcrypto, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';

const DAY_MS = 24 * 60 * 60_000;
/**
 * Time in milliseconds from the start of a certificate's validity to its creation. The validity starts earlier, because
 * the clock of a client may be slow.
 */
const BACKDATED_MS = DAY_MS;
const AUTHORITY_LIFE_MS = 20 * 365 * DAY_MS;
/** Lifetime of a server certificate. Apple's systems reject certificates that are valid for more than 825 days. */
const SERVER_LIFE_MS = 398 * DAY_MS;
/**
 * Davit renews a certificate this number of milliseconds before it expires. If the daemon was stopped for months, it
 * can then still renew the certificate in time.
 */
const RENEWED_BEFORE_MS = 180 * DAY_MS;

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
/** Maximum length of a common name in an X.509 certificate. */
const MOST_COMMON_NAME = 64;

/** Certificate authority: private key (PKCS #8) and certificate, both in PEM format. */
export interface AuthorityPair {
  key: string;
  certificate: string;
}

export interface IssuedCertificate {
  certificate: string;
  fingerprint: string;
  /** Time when Davit replaces the certificate, in milliseconds since the epoch. */
  renewAt: number;
}

/**
 * Creates a certificate authority with a new key. The authority can sign server certificates, but no other authorities.
 * @param name common name of the authority
 */
export async function newAuthority(name: string, now: number): Promise<AuthorityPair> {
  const x509 = await library();
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const { keyCertSign, cRLSign } = x509.KeyUsageFlags;
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    ...{ name: [{ CN: [name] }], keys, signingAlgorithm: ALGORITHM },
    ...validity(now, AUTHORITY_LIFE_MS),
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(keyCertSign | cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  const key = KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' });
  return { key: key.toString(), certificate: `${certificate.toString('pem')}\n` };
}

/**
 * Issues a certificate for the P-256 key of a server.
 * @param key private key of the server in PEM format
 * @param names host names and IP addresses of the server. The first name is also the common name.
 */
export async function issueCertificate(
  authority: AuthorityPair,
  key: string,
  names: readonly string[],
  now: number,
): Promise<IssuedCertificate> {
  const x509 = await library();
  const issuer = new x509.X509Certificate(authority.certificate);
  const publicDer = createPublicKey(key).export({ type: 'spki', format: 'der' });
  const publicKey = await webcrypto.subtle.importKey('spki', publicDer, ALGORITHM, true, ['verify']);
  const signingDer = createPrivateKey(authority.key).export({ type: 'pkcs8', format: 'der' });
  const signingKey = await webcrypto.subtle.importKey('pkcs8', signingDer, ALGORITHM, false, ['sign']);
  const life = validity(now, SERVER_LIFE_MS);
  const issued = await x509.X509CertificateGenerator.create({
    ...{ issuer: issuer.subjectName, signingAlgorithm: ALGORITHM },
    ...{ subject: [{ CN: [(names[0] ?? '').slice(0, MOST_COMMON_NAME)] }], publicKey, signingKey, ...life },
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension(
        names.map((value) => ({ type: isIP(value) === 0 ? ('dns' as const) : ('ip' as const), value })),
      ),
      await x509.SubjectKeyIdentifierExtension.create(publicKey),
      await x509.AuthorityKeyIdentifierExtension.create(issuer.publicKey),
    ],
  });
  const certificate = `${issued.toString('pem')}\n`;
  return {
    certificate,
    fingerprint: fingerprintOf(certificate),
    renewAt: life.notAfter.getTime() - RENEWED_BEFORE_MS,
  };
}

/** Returns the SHA-256 fingerprint of a certificate in PEM format, in hexadecimal. */
export function fingerprintOf(certificate: string): string {
  return createHash('sha256').update(new X509Certificate(certificate).raw).digest('hex');
}

async function library() {
  // Davit rarely issues a certificate. With a static import, these libraries would always use memory.
  await import('reflect-metadata');
  return import('@peculiar/x509');
}

function validity(now: number, lifeMs: number): { notBefore: Date; notAfter: Date } {
  return { notBefore: new Date(now - BACKDATED_MS), notAfter: new Date(now + lifeMs) };
}
