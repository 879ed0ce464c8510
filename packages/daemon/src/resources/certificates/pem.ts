/** Parser for certificates and private keys in PEM format. The functions are pure. */
import { createPrivateKey, createPublicKey, type KeyObject, X509Certificate } from 'node:crypto';
import { type FieldCode, type FieldProblem, normalizeHost } from '@davit/api';

/** Validated certificate chain with its private key. Times are in milliseconds since the epoch. */
export interface ReadCertificate {
  /**
   * Certificate chain as PEM. The first certificate is the certificate of the host. The next certificate is always the
   * certificate of the issuer.
   */
  chain: string;
  /** Private key in PEM format (PKCS #8). */
  key: string;
  hosts: string[];
  issuer: string;
  serial: string;
  fingerprint: string;
  not_before: number;
  not_after: number;
}

/**
 * Error for a certificate chain or private key that cannot be used. The message names the field and says what the user
 * must correct.
 */
export class PemRefused extends Error {
  override name = 'PemRefused';
  readonly problem: FieldProblem;

  /** @param sentence error message without the name of the field */
  constructor(path: 'certificate' | 'key', code: FieldCode, sentence: string, options?: ErrorOptions) {
    super(`${path}: ${sentence}`, options);
    this.problem = { path, code, message: sentence };
  }
}

const BLOCK = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Maximum number of certificates in a certificate chain. Usual certificate chains are shorter. */
const MOST = 10;

/** Maximum number of host names in a certificate. Public authorities issue certificates with at most 100 names. */
const MOST_HOSTS = 100;

const RSA_BITS = 2048;
/**
 * Maximum size of an RSA key in bits. HAProxy creates a signature with the key for each TLS handshake. With a larger
 * key, a signature takes 200 ms.
 */
const MOST_RSA_BITS = 8192;
/**
 * Elliptic curves that are allowed for certificate keys. The curve P-521 is not allowed, because Chrome does not
 * support it.
 */
const CURVES: readonly (string | undefined)[] = ['prime256v1', 'secp384r1'];

/**
 * Checks that HAProxy can use a certificate with its private key. Also sorts the certificate chain.
 * @param now milliseconds since the epoch
 * @throws PemRefused
 */
export function parseCertificate(certificate: string, key: string, now: number): ReadCertificate {
  const all = readBlocks(certificate);
  const privateKey = readKey(key);
  const leaf = all.find((one) => one.checkPrivateKey(privateKey));
  if (leaf === undefined) {
    throw new PemRefused(
      'key',
      'mismatch',
      'The private key does not match any of the certificates. Send the private key with which the certificate was requested.',
    );
  }
  if (leaf.ca && all.length > 1)
    throw new PemRefused(
      'key',
      'not_allowed',
      'The private key matches an intermediate certificate, not the leaf certificate of your host names. Send the private key of the leaf certificate.',
    );
  demandStrength(privateKey);
  const hosts = hostsOf(leaf);
  const not_before = Date.parse(leaf.validFrom);
  const not_after = Date.parse(leaf.validTo);
  if (not_after <= now) {
    throw new PemRefused(
      'certificate',
      'not_allowed',
      `The certificate expired on ${new Date(not_after).toISOString()}. Send a valid certificate.`,
    );
  }
  return {
    chain: orderedChain(leaf, all)
      .map((one) => one.toString().trimEnd())
      .join('\n')
      .concat('\n'),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    hosts,
    issuer: issuerOf(leaf),
    serial: leaf.serialNumber.toLowerCase(),
    fingerprint: leaf.fingerprint256.replaceAll(':', '').toLowerCase(),
    not_before,
    not_after,
  };
}

/** @throws PemRefused if the text contains no PEM certificate or an invalid PEM certificate */
export function demandCertificates(pem: string): void {
  readBlocks(pem);
}

function readBlocks(text: string): X509Certificate[] {
  const blocks = text.match(BLOCK) ?? [];
  if (blocks.length === 0) {
    throw new PemRefused(
      'certificate',
      'invalid_format',
      'The certificate must be in PEM format, which begins with “-----BEGIN CERTIFICATE-----”.',
    );
  }
  if (blocks.length > MOST)
    throw new PemRefused(
      'certificate',
      'too_large',
      `The text has more than ${MOST} certificates. Send only one chain.`,
    );
  const all = blocks.map((block, i) => {
    try {
      return new X509Certificate(block);
    } catch (cause) {
      throw new PemRefused(
        'certificate',
        'invalid_format',
        `Certificate ${i + 1} of the text is not valid. Copy the whole file.`,
        { cause },
      );
    }
  });
  return [...new Map(all.map((one) => [one.fingerprint256, one])).values()];
}

function readKey(text: string): KeyObject {
  if (/ENCRYPTED/.test(text))
    throw new PemRefused(
      'key',
      'not_allowed',
      'The private key is encrypted with a passphrase. Send the decrypted private key.',
    );
  try {
    return createPrivateKey(text);
  } catch (cause) {
    throw new PemRefused(
      'key',
      'invalid_format',
      'The private key must be in PEM format, which begins for example with “-----BEGIN PRIVATE KEY-----”.',
      {
        cause,
      },
    );
  }
}

function demandStrength(key: KeyObject): void {
  const { modulusLength = 0, namedCurve } = createPublicKey(key).asymmetricKeyDetails ?? {};
  if (key.asymmetricKeyType === 'rsa') {
    if (modulusLength < RSA_BITS) {
      throw new PemRefused(
        'key',
        'too_small',
        `The private key is an RSA key with ${modulusLength} bits, but clients require at least ${RSA_BITS}. Use a longer key.`,
      );
    }
    if (modulusLength <= MOST_RSA_BITS) return;
    throw new PemRefused(
      'key',
      'too_large',
      `The private key is an RSA key with ${modulusLength} bits, which makes each connection slow. Use at most ${MOST_RSA_BITS} bits, or P-256.`,
    );
  }
  if (key.asymmetricKeyType === 'ec' && CURVES.includes(namedCurve)) return;
  const kind = namedCurve ?? key.asymmetricKeyType;
  throw new PemRefused(
    'key',
    'not_allowed',
    `The private key has the type ${kind}, which browsers do not support. Use RSA with at least ${RSA_BITS} bits, P-256 or P-384.`,
  );
}

function hostsOf(leaf: X509Certificate): string[] {
  /*
   * `subjectAltName` is a comma-separated list. If a name in the list contains a comma, Node.js puts the name in
   * quotes.
   */
  const names = [...(leaf.subjectAltName ?? '').matchAll(/(?:^|, )DNS:("(?:[^"\\]|\\.)*"|[^,]*)/g)].map(
    ([, name = '']) => name.replace(/\.$/, '').toLowerCase(),
  );
  if (names.length === 0) {
    throw new PemRefused(
      'certificate',
      'invalid',
      'The certificate has no host name in its “subject alternative name”, which browsers require.',
    );
  }
  if (names.length > MOST_HOSTS)
    throw new PemRefused('certificate', 'too_large', `The certificate has more than ${MOST_HOSTS} host names.`);
  const wrong = names.find((name) => !isHostPattern(name));
  if (wrong !== undefined)
    throw new PemRefused(
      'certificate',
      'invalid',
      'A name in the certificate is neither a host name nor a wildcard such as “*.example.com”.',
    );
  return [...new Set(names)].toSorted();
}

/**
 * Returns whether HAProxy accepts a host name. If the configuration contains one invalid host name, HAProxy loads no
 * routes at all.
 */
function isHostPattern(name: string): boolean {
  const host = name.replace(/^\*\./, '');
  return normalizeHost(host) === host;
}

/**
 * Verifies a certificate chain and sorts its certificates. The root certificate may be missing.
 * @throws PemRefused if a certificate is not part of the chain
 */
function orderedChain(leaf: X509Certificate, all: readonly X509Certificate[]): X509Certificate[] {
  const chain = [leaf];
  const rest = new Set(all.filter((one) => one !== leaf));
  for (let last = leaf; rest.size > 0; ) {
    const issuer = [...rest].find((one) => last.checkIssued(one) && last.verify(one.publicKey));
    if (issuer === undefined) {
      const [stray] = rest;
      throw new PemRefused(
        'certificate',
        'mismatch',
        `The certificate of “${nameOf(stray?.subject ?? '')}” is not part of the chain. Send your certificate with its own intermediate certificates.`,
      );
    }
    chain.push(issuer);
    rest.delete(issuer);
    last = issuer;
  }
  return chain;
}

function issuerOf(leaf: X509Certificate): string {
  return nameOf(leaf.issuer);
}

/**
 * Returns the common name of a distinguished name as printable text. If the distinguished name has no common name,
 * returns the whole distinguished name.
 */
function nameOf(distinguished: string): string {
  const text = /^CN=(.*)$/m.exec(distinguished)?.[1] ?? distinguished.split('\n').join(', ');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this takes out
  return text.replace(/[\u0000-\u001f\u007f]/g, ' ').slice(0, 200) || 'unnamed';
}
