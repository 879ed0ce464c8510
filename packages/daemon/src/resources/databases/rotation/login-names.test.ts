import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DIALECTS } from '../dialects/index.ts';
import { nextUsername } from './login-names.ts';

describe('name of the next login', () => {
  const long = 'a'.repeat(32);
  for (const [engine, current, next] of [
    ['postgres', 'postgres', 'postgres_2'],
    ['postgres', 'postgres_2', 'postgres_3'],
    ['postgres', 'postgres_9', 'postgres_10'],
    ['postgres', 'postgres_12', 'postgres'],
    ['postgres', 'postgres_13', 'postgres_13_2'],
    ['postgres', '_2', '_2_2'],
    ['postgres', long, `${long.slice(2)}_2`],
    ['postgres', `${long.slice(2)}_9`, `${long.slice(3)}_10`],
    // PostgreSQL and MariaDB refuse the names without the suffix.
    ['postgres', 'public_12', 'public_2'],
    ['postgres', 'none_12', 'none_2'],
    ['mariadb', 'root_12', 'root_2'],
  ] as const)
    it(`for ${engine} after ${current} is ${next}`, () => {
      const { reserved } = DIALECTS[engine];
      assert.equal(nextUsername(current, undefined, reserved.users), next);
      assert.doesNotMatch(next, reserved.users);
    });

  it('is used again only after eleven other names', () => {
    const names = ['shop'];
    while (names.length < 13) names.push(nextUsername(names.at(-1) ?? '', undefined, DIALECTS.postgres.reserved.users));
    assert.equal(new Set(names).size, 12);
    assert.equal(names.at(-1), 'shop');
  });
});
