import assert from 'node:assert/strict';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import { unwrapKey, wrapKey } from './key-wrap.ts';

function keyPair() {
  const { d = '', x = '' } = generateKeyPairSync('x25519').privateKey.export({ format: 'jwk' });
  return { secret: Buffer.from(d, 'base64url'), recipient: x };
}

describe('a wrapped key', () => {
  const key = randomBytes(32);
  const { secret, recipient } = keyPair();

  test('can be unwrapped with the private key, and is different each time', () => {
    const [first, second] = [wrapKey(key, recipient, 'a'), wrapKey(key, recipient, 'a')];

    assert.deepEqual(unwrapKey(first, secret, 'a'), key);
    assert.deepEqual(unwrapKey(second, secret, 'a'), key);
    assert.notEqual(first.sealed, second.sealed);
    assert.ok(!JSON.stringify(first).includes(key.toString('base64url')));
  });

  test('cannot be unwrapped with another key, another context or after a change', () => {
    const wrapped = wrapKey(key, recipient, 'a');
    const other = keyPair();

    assert.throws(() => unwrapKey(wrapped, other.secret, 'a'));
    assert.throws(() => unwrapKey(wrapped, secret, 'b'));
    assert.throws(() => unwrapKey({ ...wrapped, recipient: other.recipient }, secret, 'a'));
    assert.throws(() => unwrapKey({ ...wrapped, ephemeral: other.recipient }, secret, 'a'));
    const sealed = Buffer.from(wrapped.sealed, 'base64url');
    for (let at = 0; at < sealed.length; at++) {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] ?? 0) ^ 1;
      assert.throws(() => unwrapKey({ ...wrapped, sealed: changed.toString('base64url') }, secret, 'a'), `byte ${at}`);
    }
  });

  test('is refused for a public key of the wrong length', () => {
    assert.throws(() => wrapKey(key, 'c2hvcnQ', 'a'));
  });
});
