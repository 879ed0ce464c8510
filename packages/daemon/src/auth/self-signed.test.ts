import assert from 'node:assert/strict';
import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import test from 'node:test';
import { selfSignedCertificate } from './self-signed.ts';

test('selfSignedCertificate creates a certificate with the given key, name and validity', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const [notBefore, notAfter] = [Date.parse('2026-01-02T03:04:05Z'), Date.parse('2028-01-02T03:04:05Z')];

  const read = new X509Certificate(selfSignedCertificate(privateKey, { name: 'davit-abcd1234', notBefore, notAfter }));

  assert.ok(read.verify(publicKey));
  assert.ok(read.checkPrivateKey(privateKey));
  assert.equal(read.subject, 'CN=davit-abcd1234');
  assert.equal(read.issuer, read.subject);
  assert.equal(read.validFromDate.getTime(), notBefore);
  assert.equal(read.validToDate.getTime(), notAfter);
});

test('selfSignedCertificate gives each certificate a different serial number', () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const facts = { name: 'x'.repeat(200), notBefore: 0, notAfter: 1 };

  const [a, b] = [1, 2].map(() => new X509Certificate(selfSignedCertificate(privateKey, facts)).serialNumber);

  assert.notEqual(a, b);
});
