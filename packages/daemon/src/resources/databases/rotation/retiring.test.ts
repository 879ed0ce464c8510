import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DIALECTS } from '../dialects/index.ts';
import { nextUsername } from './retiring.ts';

describe('the name of the next login', () => {
  const long = 'a'.repeat(32);
  for (const [engine, current, next] of [
    ['postgres', 'postgres', 'postgres_2'],
    ['postgres', 'postgres_2', 'postgres'],
    ['postgres', '_2', '_2_2'],
    ['postgres', long, `${long.slice(2)}_2`],
    // PostgreSQL and MariaDB refuse the names without the suffix.
    ['postgres', 'public_2', 'public_2_2'],
    ['postgres', 'none_2', 'none_2_2'],
    ['mariadb', 'root_2', 'root_2_2'],
  ] as const)
    it(`of ${engine} behind ${current} is ${next}`, () => {
      const { reserved } = DIALECTS[engine];
      assert.equal(nextUsername(current, undefined, reserved.users), next);
      assert.doesNotMatch(next, reserved.users);
    });
});
