import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isOutdated, newAccountPassword, Passwords } from './passwords.ts';

const CLAIMANT = { source: '192.0.2.0/24', known: false };

describe('a password', () => {
  const passwords = new Passwords();

  it('matches only its own hash', async () => {
    const hash = await passwords.hash('correct horse', CLAIMANT);
    assert.equal(await passwords.verify('correct horse', hash, CLAIMANT), true);
    assert.equal(await passwords.verify('correct horsf', hash, CLAIMANT), false);
  });

  it('is hashed with Argon2id, the minimum recommended cost and a random salt', async () => {
    const [one, two] = await Promise.all([passwords.hash('x', CLAIMANT), passwords.hash('x', CLAIMANT)]);
    assert.match(one, /^\$argon2id\$v=19\$m=12288,t=3,p=1\$/);
    assert.notEqual(one, two);
  });

  it('is outdated if its hash has another cost', async () => {
    const hash = await passwords.hash('x', CLAIMANT);
    assert.equal(isOutdated(hash), false);
    assert.equal(isOutdated(hash.replace('m=12288,t=3', 'm=47104,t=1')), true);
  });

  it('is wrong for a user who does not exist', async () => {
    assert.equal(await passwords.verify('', undefined, CLAIMANT), false);
  });

  it('is long and different each time if generated', () => {
    const made = new Set(Array.from({ length: 100 }, newAccountPassword));
    assert.equal(made.size, 100);
    for (const password of made) assert.match(password, /^([a-z2-9]{5}-){3}[a-z2-9]{5}$/);
  });
});
