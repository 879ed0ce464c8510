import assert from 'node:assert/strict';
import { createPublicKey, randomBytes, verify, X509Certificate } from 'node:crypto';
import test from 'node:test';
import { Sealer } from '../db/seal.ts';
import { Store } from '../db/store.ts';
import { readSetting, writeSetting } from '../db/tables/settings.ts';
import { RegistryKeys } from './registry-keys.ts';

const DAY_MS = 24 * 60 * 60_000;
const START = Date.parse('2026-03-01T12:00:00Z');

class Harness implements Disposable {
  readonly store = new Store(':memory:');
  readonly sealer = new Sealer(randomBytes(32));
  now = START;

  keys(): RegistryKeys {
    return new RegistryKeys({ davitId: 'abcd1234', store: this.store, sealer: this.sealer, now: () => this.now });
  }

  [Symbol.dispose](): void {
    this.store[Symbol.dispose]();
  }
}

function parts(token: string) {
  const [header = '', claims = '', signature = ''] = token.split('.');
  const decode = (text: string) => JSON.parse(Buffer.from(text, 'base64url').toString());
  return { header: decode(header), claims: decode(claims), signed: `${header}.${claims}`, signature };
}

test('a registry token contains its permissions, expires after five minutes, and is signed', () => {
  using harness = new Harness();
  const keys = harness.keys();

  const token = parts(keys.token('ada', [{ repository: 'shop/production/web', actions: ['pull', 'push'] }]));

  const at = START / 1_000;
  const { jti, ...claims } = token.claims;
  assert.match(jti, /^[0-9a-f-]{36}$/);
  assert.deepEqual(claims, {
    iss: 'davit-abcd1234',
    sub: 'ada',
    aud: 'davit',
    exp: at + 300,
    nbf: at - 60,
    iat: at - 60,
    access: [{ type: 'repository', name: 'shop/production/web', actions: ['pull', 'push'] }],
  });
  const certificate = new X509Certificate(keys.certificate());
  assert.deepEqual(token.header, { typ: 'JWT', alg: 'ES256', x5c: [certificate.raw.toString('base64')] });
  const key = { key: createPublicKey(certificate.publicKey.export({ type: 'spki', format: 'pem' })) };
  const signature = Buffer.from(token.signature, 'base64url');
  assert.ok(verify('sha256', Buffer.from(token.signed), { ...key, dsaEncoding: 'ieee-p1363' }, signature));
});

test('a catalog token grants only access to the repository list', () => {
  using harness = new Harness();

  const { access } = parts(harness.keys().token('davit', 'catalog')).claims;

  assert.deepEqual(access, [{ type: 'registry', name: 'catalog', actions: ['*'] }]);
});

test('the key, certificate and secrets persist after a restart and are stored encrypted', () => {
  using harness = new Harness();
  const before = harness.keys();
  const made = [before.certificate(), before.hookSecret(), before.appCredential(1).password];

  const after = harness.keys();

  assert.deepEqual([after.certificate(), after.hookSecret(), after.appCredential(1).password], made);
  assert.equal(new Set(made).size, 3);
  for (const name of ['registry.signing-key', 'registry.hook-secret', 'registry.engine-secret']) {
    assert.match(readSetting(harness.store, name) ?? '', /^v1\./);
  }
});

test('appOfCredential accepts a credential only with its own user name and password', () => {
  using harness = new Harness();
  const keys = harness.keys();
  const [one, other] = [keys.appCredential(1), keys.appCredential(11)];

  assert.equal(keys.appOfCredential(one), 1);
  assert.equal(keys.appOfCredential(other), 11);
  assert.notEqual(one.password, other.password);
  for (const wrong of [
    { username: one.username, password: other.password },
    { username: one.username, password: '' },
    { username: 'davit/app/01', password: one.password },
    { username: 'davit/app/0', password: one.password },
    { username: 'davit/app/-1', password: one.password },
    { username: 'davit/app/1 ', password: one.password },
    { username: 'DAVIT/app/1', password: one.password },
    { username: `davit/app/${'9'.repeat(40)}`, password: one.password },
    { username: 'davit', password: one.password },
  ]) {
    assert.equal(keys.appOfCredential(wrong), null, wrong.username);
  }
});

test('the certificate is renewed half a year before expiry without changing the secrets', () => {
  using harness = new Harness();
  const keys = harness.keys();
  const [certificate, secret] = [keys.certificate(), keys.hookSecret()];

  harness.now += 549 * DAY_MS;
  assert.equal(keys.certificate(), certificate);
  harness.now += 2 * DAY_MS;
  const renewed = keys.certificate();

  assert.notEqual(renewed, certificate);
  assert.ok(new X509Certificate(renewed).validToDate.getTime() > harness.now + 700 * DAY_MS);
  assert.equal(keys.hookSecret(), secret);
  assert.equal(harness.keys().certificate(), renewed);
});

test('keys and secrets are recreated if their stored values are invalid', () => {
  using harness = new Harness();
  const before = harness.keys().hookSecret();
  harness.store.tx((tx) => {
    writeSetting(tx, 'registry.hook-secret', 'v1.x.y.z');
    writeSetting(tx, 'registry.signing-key', 'nonsense');
  });

  const keys = harness.keys();

  assert.notEqual(keys.hookSecret(), before);
  assert.match(keys.certificate(), /^-----BEGIN CERTIFICATE-----/);
  assert.equal(harness.keys().hookSecret(), keys.hookSecret());
});
