import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { makeCertificate } from '../../../../test/support/make-certificate.ts';
import { CertificateFiles } from './certificate-files.ts';

async function temporaryFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'davit-certs-'));
  t.after(() => rm(folder, { recursive: true }));
  return folder;
}

async function made(name: string) {
  const { certificate, key } = await makeCertificate([`${name}.example`]);
  return { name, hosts: [`${name}.example`], pem: () => certificate + key };
}

test('CertificateFiles writes each certificate only once, readable by the owner, plus a default certificate', async (t) => {
  const folder = await temporaryFolder(t);
  const one = await made('c1');
  const never = { ...one, pem: () => assert.fail('it is there already') };

  const first = await new CertificateFiles(folder).store([one]);
  const again = await new CertificateFiles(folder).store([never]);

  assert.deepEqual([first.served.length, first.problems, again.served.length], [1, [], 1]);
  assert.deepEqual((await readdir(join(folder, 'certs'))).sort(), ['c1.pem', 'default.pem']);
  assert.equal((await stat(join(folder, 'certs/c1.pem'))).mode & 0o777, 0o600);
});

test('CertificateFiles refuses a short key and still serves the other certificates', async (t) => {
  const algorithm = {
    name: 'RSASSA-PKCS1-v1_5',
    hash: 'SHA-256',
    modulusLength: 1024,
    publicExponent: new Uint8Array([1, 0, 1]),
  };
  const short = await makeCertificate(['short.example'], { algorithm });
  const files = new CertificateFiles(await temporaryFolder(t));

  const { served, problems } = await files.store([
    { name: 'short', hosts: ['short.example'], pem: () => short.certificate + short.key },
    await made('c1'),
  ]);

  assert.deepEqual(
    served.map(({ name }) => name),
    ['c1'],
  );
  assert.match(problems[0]?.reason ?? '', /^The certificate cannot be used: .*too small/);
});

test('CertificateFiles rewrites an old refused certificate, then omits the certificate after another refusal', async (t) => {
  const folder = await temporaryFolder(t);
  const one = await made('c1');
  await new CertificateFiles(folder).store([one]);
  await writeFile(join(folder, 'certs/c1.pem'), 'damaged');
  const files = new CertificateFiles(folder);
  await files.store([one]);

  await files.refuse('c1', 'it does not load');
  const healed = await files.store([one]);
  await files.refuse('c1', 'it does not load');
  const left = await files.store([one]);
  await files.store([]);
  const wantedAgain = await files.store([one]);

  assert.equal(healed.served.length, 1);
  assert.deepEqual([left.served, left.problems], [[], [{ name: 'c1', reason: 'it does not load' }]]);
  assert.equal(wantedAgain.served.length, 1);
});

test('CertificateFiles deletes unused certificates and keeps the default certificate', async (t) => {
  const folder = await temporaryFolder(t);
  const files = new CertificateFiles(folder);
  await files.store([await made('c1'), await made('c2')]);

  await files.keepOnly(['c2']);

  assert.deepEqual((await readdir(join(folder, 'certs'))).sort(), ['c2.pem', 'default.pem']);
});
