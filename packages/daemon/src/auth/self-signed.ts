/**
 * Creates self-signed X.509 certificates without a library, because a library would be a thousand times larger than
 * this code.
 */
import { createPublicKey, type KeyObject, randomBytes, sign } from 'node:crypto';

export interface CertificateFacts {
  /** Common name of the subject and the issuer, in printable ASCII. */
  name: string;
  /** Start of the certificate's validity, in milliseconds since the epoch. Must be before the year 2050. */
  notBefore: number;
  notAfter: number;
}

/**
 * Creates an X.509 certificate for a P-256 key and signs it with the same key.
 * @returns certificate in PEM format
 */
export function selfSignedCertificate(privateKey: KeyObject, { name, notBefore, notAfter }: CertificateFacts): string {
  const named = sequence(set(sequence(COMMON_NAME, der(0x0c, Buffer.from(name)))));
  const toBeSigned = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, serialNumber()),
    ECDSA_WITH_SHA256,
    named,
    sequence(utcTime(notBefore), utcTime(notAfter)),
    named,
    createPublicKey(privateKey).export({ type: 'spki', format: 'der' }),
  );
  const signature = sign('sha256', toBeSigned, privateKey);
  const certificate = sequence(toBeSigned, ECDSA_WITH_SHA256, der(0x03, Buffer.from([0]), signature));
  const lines = certificate.toString('base64').replaceAll(/.{64}/g, '$&\n').trimEnd();
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
}

/** ASN.1 object identifier 1.2.840.10045.4.3.2 (ECDSA with SHA-256). */
const ECDSA_WITH_SHA256 = sequence(der(0x06, Buffer.from('2a8648ce3d040302', 'hex')));
/** ASN.1 object identifier 2.5.4.3 (common name). */
const COMMON_NAME = der(0x06, Buffer.from('550403', 'hex'));

/**
 * Returns a random positive serial number. Its first byte is between 0x40 and 0x7f. The number is therefore positive,
 * and has a fixed length in DER, the binary certificate format.
 */
function serialNumber(): Buffer {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40;
  return bytes;
}

function utcTime(at: number): Buffer {
  const [year = '', ...rest] = new Date(at).toISOString().slice(0, 19).split(/[-T:]/);
  return der(0x17, Buffer.from(`${year.slice(2)}${rest.join('')}Z`));
}

function sequence(...parts: Buffer[]): Buffer {
  return der(0x30, ...parts);
}

function set(...parts: Buffer[]): Buffer {
  return der(0x31, ...parts);
}

/** Encodes a value in DER: tag, length and content. */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  if (length < 0x80) return Buffer.concat([Buffer.from([tag, length]), content]);
  const bytes = length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...bytes]), content]);
}
