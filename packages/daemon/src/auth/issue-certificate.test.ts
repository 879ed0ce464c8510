import assert from 'node:assert/strict';
import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import test from 'node:test';
import { fingerprintOf, issueCertificate, newAuthority } from './issue-certificate.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const DAY_MS = 86_400_000;

function newKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

test('newAuthority creates a CA that is valid for 20 years and signs itself', async () => {
  const read = new X509Certificate((await newAuthority('Davit CA abcd1234', NOW)).certificate);

  assert.equal(read.ca, true);
  assert.equal(read.subject, 'CN=Davit CA abcd1234');
  assert.ok(read.verify(read.publicKey));
  assert.equal(read.validToDate.getTime(), NOW + 20 * 365 * DAY_MS);
});

test('issueCertificate signs a certificate for the key, with all names and addresses', async () => {
  const authority = await newAuthority('Davit CA abcd1234', NOW);
  const key = newKey();
  const names = ['main.db.production.shop.internal', 'davit.example.com', 'localhost', '127.0.0.1', '2001:db8::1'];

  const { certificate, fingerprint, renewAt } = await issueCertificate(authority, key, names, NOW);

  const [read, ca] = [new X509Certificate(certificate), new X509Certificate(authority.certificate)];
  assert.ok(read.verify(ca.publicKey));
  assert.ok(read.checkIssued(ca));
  assert.equal(read.ca, false);
  for (const name of names.slice(0, 3)) assert.equal(read.checkHost(name), name);
  for (const address of names.slice(3)) assert.equal(read.checkIP(address), address);
  assert.equal(read.checkHost('other.example.com'), undefined);
  assert.equal(read.subject, `CN=${names[0]}`);
  assert.equal(fingerprint, fingerprintOf(certificate));
  assert.ok(read.validFromDate.getTime() < NOW);
  assert.equal(read.validToDate.getTime() - renewAt, 180 * DAY_MS);
});

test('issueCertificate signs with the given CA only, and cuts a long common name', async () => {
  const [authority, other] = await Promise.all([newAuthority('one', NOW), newAuthority('two', NOW)]);
  const name = `${'a'.repeat(60)}.db.production.shop.internal`;

  const { certificate } = await issueCertificate(authority, newKey(), [name], NOW);

  const read = new X509Certificate(certificate);
  assert.ok(!read.verify(new X509Certificate(other.certificate).publicKey));
  assert.equal(read.subject, `CN=${name.slice(0, 64)}`);
  assert.equal(read.checkHost(name), name);
});
