import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import test from 'node:test';
import fc from 'fast-check';
import { SealBroken, Sealer } from './seal.ts';

const LOCATION = 'variables/app/12/TOKEN';

test('Sealer opens every sealed string with the same location', () => {
  const sealer = new Sealer(randomBytes(32));
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme' }),
      (plain) => sealer.open(sealer.seal(plain, LOCATION), LOCATION) === plain,
    ),
  );
});

test('Sealer adds the version and key ID and never repeats a sealed value', () => {
  const sealer = new Sealer(randomBytes(32));
  const [one, two] = [sealer.seal('secret', LOCATION), sealer.seal('secret', LOCATION)];

  assert.ok(one.startsWith(`v1.${sealer.keyId}.`));
  assert.notEqual(one, two);
});

test('Sealer refuses a value with another location, changed content or another key', () => {
  const sealer = new Sealer(randomBytes(32));
  const sealed = sealer.seal('secret', LOCATION);
  const changed = sealed.replace(/.(?=.{5}$)/, (letter) => (letter === 'A' ? 'B' : 'A'));

  assert.throws(() => sealer.open(sealed, 'variables/app/13/TOKEN'), SealBroken);
  assert.throws(() => sealer.open(changed, LOCATION), SealBroken);
  assert.throws(() => new Sealer(randomBytes(32)).open(sealed, LOCATION), /another master key/);
  assert.throws(() => sealer.open('secret', LOCATION), SealBroken);
});
