import assert from 'node:assert/strict';
import test from 'node:test';
import type { RouteCertificate } from '../proxy.ts';
import { blamedCertificate, certificateList, desiredCertificates } from './certificates.ts';
import { installing, missingCertificates, refusal, retiring } from './reconcile-certificates.ts';
import type { RunningCertificate } from './running.ts';

const certificate = (name: string, ...hosts: string[]): RouteCertificate => ({ name, hosts, pem: () => name });
const running = (name: string, line: string, ...hosts: string[]): RunningCertificate => ({
  path: `/run/davit/certs/${name}.pem`,
  line,
  hosts,
});
const own = running('default', '1', 'default.invalid');
const LIST = '/run/davit/current/certificates.list';

test('desiredCertificates uses the last certificate for a host and omits certificates without hosts', () => {
  const desired = desiredCertificates([
    certificate('a', 'x.y', 'z.y'),
    certificate('b', 'x.y'),
    certificate('c', 'z.y'),
  ]);

  assert.deepEqual(
    desired.map(({ name, hosts }) => [name, hosts]),
    [
      ['b', ['x.y']],
      ['c', ['z.y']],
    ],
  );
});

test('desiredCertificates refuses invalid certificate names and hosts', () => {
  for (const name of ['', 'a b', '../a', 'default', 'a\n']) {
    assert.throws(() => desiredCertificates([certificate(name, 'x.y')]), /certificate name/);
  }
  for (const host of ['', '*', '*.*.x', 'X.y', 'x y', '!x.y', 'a.*.x']) {
    assert.throws(() => desiredCertificates([certificate('a', host)]), /certificate host/);
  }
  assert.throws(() => desiredCertificates([certificate('a', 'x.y'), certificate('a', 'z.y')]), /certificate name/);
});

test('certificateList puts the default certificate first', () => {
  assert.equal(
    certificateList([certificate('b', '*.x.y', 'x.y'), certificate('a', 'a.y')]),
    ['default.pem default.invalid', 'a.pem a.y', 'b.pem *.x.y x.y', '']
      .join('\n')
      .replaceAll(/^(?=.)/gm, '/run/davit/certs/'),
  );
});

test('missingCertificates and retiring return nothing if all certificates are up to date', () => {
  assert.deepEqual(missingCertificates([certificate('a', 'x.y')], [own, running('a', '2', 'x.y')]), []);
  assert.deepEqual(retiring([certificate('a', 'x.y')], [own, running('a', '2', 'x.y')]), []);
});

test('installing sends the content only for a certificate that is not loaded', () => {
  const [fresh, moved] = [certificate('b', 'z.y'), certificate('a', 'x.y')];

  const missing = missingCertificates([moved, fresh], [own, running('a', '2', 'x.y', 'z.y')]);

  assert.deepEqual(
    missing.map(({ certificate: { name }, isLoaded }) => [name, isLoaded]),
    [
      ['a', true],
      ['b', false],
    ],
  );
  assert.deepEqual(installing(moved, null), [`add ssl crt-list ${LIST} <<\n/run/davit/certs/a.pem x.y\n`]);
  assert.deepEqual(installing(fresh, 'chain\n\nkey\r\n'), [
    'new ssl cert /run/davit/certs/b.pem',
    'set ssl cert /run/davit/certs/b.pem <<\nchain\nkey\n',
    'commit ssl cert /run/davit/certs/b.pem',
    `add ssl crt-list ${LIST} <<\n/run/davit/certs/b.pem z.y\n`,
  ]);
  assert.equal(installing(fresh, 'x'.repeat(16_000)), null);
});

test('retiring deletes unwanted lines by number and unused certificates with their last line', () => {
  const now = [own, running('a', '2', 'x.y', 'z.y'), running('a', '4', 'x.y'), running('b', '3', 'b.y')];

  assert.deepEqual(retiring([certificate('a', 'x.y')], now), [
    `del ssl crt-list ${LIST} /run/davit/certs/a.pem:2`,
    `del ssl crt-list ${LIST} /run/davit/certs/b.pem:3`,
    'del ssl cert /run/davit/certs/b.pem',
  ]);
});

test('refusal returns the proxy’s reason for a refused certificate', () => {
  assert.equal(
    refusal(['New empty certificate store', 'Transaction created', 'Success!', 'Inserting\nSuccess!']),
    null,
  );
  assert.equal(
    refusal(['New empty certificate store', "can't\n  load", 'Success!', 'no such file']),
    "can't load no such file",
  );
  assert.equal(blamedCertificate("[ALERT] unable to load certificate '/run/davit/certs/c-1.pem'."), 'c-1');
  assert.equal(blamedCertificate('[ALERT] /run/davit/certs/default.pem'), null);
});
