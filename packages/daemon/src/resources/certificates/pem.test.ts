import assert from 'node:assert/strict';
import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto';
import test, { describe } from 'node:test';
import { makeCertificate } from '../../../test/support/make-certificate.ts';
import { PemRefused, parseCertificate } from './pem.ts';

const refuses = (certificate: string, key: string, message: RegExp) =>
  assert.throws(
    () => parseCertificate(certificate, key, Date.now()),
    (error: Error) => error instanceof PemRefused && message.test(error.message),
  );

describe('uploaded certificate', () => {
  test('is parsed with its hosts, validity dates, issuer and chain', async () => {
    const authority = await makeCertificate([], { isAuthority: true });
    const { certificate, key } = await makeCertificate(['B.example.com', '*.a.example.com'], { issuer: authority });

    const read = parseCertificate(certificate, key, Date.now());

    assert.deepEqual(read.hosts, ['*.a.example.com', 'b.example.com']);
    assert.match(read.issuer, /^test authority/);
    assert.match(read.fingerprint, /^[0-9a-f]{64}$/);
    assert.ok(read.not_before < Date.now() && read.not_after > Date.now());
    assert.equal(read.chain.match(/BEGIN CERTIFICATE/g)?.length, 2);
  });

  test('is sorted so that the leaf certificate comes first', async () => {
    const root = await makeCertificate([], { isAuthority: true });
    const { certificate, key } = await makeCertificate(['a.example.com'], { issuer: root });
    const blocks = certificate.match(/-----BEGIN[^-]+-----[^-]+-----END[^-]+-----/g) ?? [];

    const read = parseCertificate(blocks.toReversed().join('\n'), key, Date.now());

    assert.equal(new X509Certificate(read.chain).subjectAltName, 'DNS:a.example.com');
  });

  test('keeps the private key that belongs to the certificate', async () => {
    const { certificate, key } = await makeCertificate(['a.example.com']);
    const read = parseCertificate(certificate, key, Date.now());

    const spki = (pem: string) => createPublicKey(createPrivateKey(pem)).export({ type: 'spki', format: 'pem' });
    assert.equal(spki(read.key), new X509Certificate(read.chain).publicKey.export({ type: 'spki', format: 'pem' }));
  });

  test('is refused with the private key of another certificate', async () => {
    const [a, b] = [await makeCertificate(['a.example.com']), await makeCertificate(['a.example.com'])];

    refuses(a.certificate, b.key, /^key: The private key does not match/);
  });

  test('is refused if the certificate has expired', async () => {
    const { certificate, key } = await makeCertificate(['a.example.com'], { days: -1 });

    refuses(certificate, key, /^certificate: The certificate expired on \d{4}-/);
  });

  test('is refused with an RSA key of 1024 bits', async () => {
    const weak = {
      name: 'RSASSA-PKCS1-v1_5',
      modulusLength: 1024,
      publicExponent: new Uint8Array([1, 0, 1]),
      hash: 'SHA-256',
    };
    const { certificate, key } = await makeCertificate(['a.example.com'], { algorithm: weak });

    refuses(certificate, key, /RSA key with 1024 bits/);
  });

  test('is accepted with an RSA key of 2048 bits', async () => {
    const rsa = {
      name: 'RSASSA-PKCS1-v1_5',
      modulusLength: 2048,
      publicExponent: new Uint8Array([1, 0, 1]),
      hash: 'SHA-256',
    };
    const { certificate, key } = await makeCertificate(['a.example.com'], { algorithm: rsa });

    assert.deepEqual(parseCertificate(certificate, key, Date.now()).hosts, ['a.example.com']);
  });

  test('contains a duplicate certificate only once', async () => {
    const { certificate, key } = await makeCertificate(['a.example.com'], { isAuthority: true });

    const read = parseCertificate(certificate.repeat(2), key, Date.now());

    assert.equal(read.chain.match(/BEGIN CERTIFICATE/g)?.length, 1);
  });

  test('applies only to its DNS host names, not to other names', async () => {
    const others = [
      { type: 'url', value: 'https://a.example.com/, DNS:b.example.com' },
      { type: 'email', value: 'x@c.example.com' },
      { type: 'ip', value: '192.0.2.1' },
    ] as const;
    const { certificate, key } = await makeCertificate(['a.example.com'], { others });

    assert.deepEqual(parseCertificate(certificate, key, Date.now()).hosts, ['a.example.com']);
  });

  test('is refused with a certificate that is not in the chain', async () => {
    const { certificate, key } = await makeCertificate(['a.example.com']);
    const stray = await makeCertificate(['stray.example.com']);

    refuses(
      certificate + stray.certificate,
      key,
      /The certificate of “test stray\.example\.com” is not part of the chain/,
    );
  });

  test('is refused if the certificate has no host name', async () => {
    const { certificate, key } = await makeCertificate([]);

    refuses(certificate, key, /has no host name/);
  });

  test('is refused with a host name that the proxy cannot use', async () => {
    const long = `${'a'.repeat(64)}.example.com`;
    const bad = ['a.*.example.com', '*', '*.*.example.com', 'a..example.com', 'a.-b.example.com', 'a-.example.com'];
    for (const host of [...bad, long, 'xn--.example.com', 'a b.example.com', 'a.example.com:443', 'a/b', '']) {
      const { certificate, key } = await makeCertificate(['good.example.com', host]);

      refuses(certificate, key, /neither a host name/);
    }
  });

  test('is refused with a key type that browsers do not support', async () => {
    const curve = { name: 'ECDSA', namedCurve: 'P-521', hash: 'SHA-512' };
    const { certificate, key } = await makeCertificate(['a.example.com'], { algorithm: curve });

    refuses(certificate, key, /^key: The private key has the type secp521r1, which browsers do not support/);
  });

  test('is refused with a specific message if the input is invalid', async () => {
    const { certificate, key } = await makeCertificate(['a.example.com']);

    refuses('nothing', key, /^certificate: The certificate must be in PEM format/);
    refuses(
      '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n',
      key,
      /Certificate 1 of the text is not valid/,
    );
    refuses(certificate, 'nothing', /^key: The private key must be in PEM format/);
    refuses(
      certificate,
      '-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n',
      /passphrase/,
    );
    refuses(certificate.repeat(11), key, /more than 10 certificates/);
  });
});
