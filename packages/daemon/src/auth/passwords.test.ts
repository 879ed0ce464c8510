import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Passwords } from './passwords.ts';

describe('a password', () => {
  const passwords = new Passwords();

  it('is right for its own hash only', async () => {
    const hash = await passwords.hash('correct horse');
    assert.equal(await passwords.verify('correct horse', hash), true);
    assert.equal(await passwords.verify('correct horsf', hash), false);
  });

  it('is hashed with Argon2id at the floor of what is recommended, each time with another salt', async () => {
    const [one, two] = await Promise.all([passwords.hash('x'), passwords.hash('x')]);
    assert.match(one, /^\$argon2id\$v=19\$m=47104,t=1,p=1\$/);
    assert.notEqual(one, two);
  });

  it('is wrong for somebody who does not exist', async () => {
    assert.equal(await passwords.verify('', undefined), false);
  });

  it('waits its turn in a queue of twenty; who comes after that is told to come back', async () => {
    const all = await Promise.allSettled(Array.from({ length: 30 }, () => passwords.verify('x', undefined)));
    const refused = all.filter((result) => result.status === 'rejected').map(({ reason }) => reason);
    assert.equal(refused.length, 8);
    assert.ok(refused.every(({ code, retryAfterS }) => code === 'too_many_requests' && retryAfterS === 1));
    assert.equal(await passwords.verify('x', undefined), false);
  });
});
