import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasBegunSaving, isLetIn, type RedisRefusal, refusalIn } from './redis-answers.ts';

/** Examples of answers of Redis 6 to 8. The live suites check a backup of 7.0 on a real Redis. */
const EXAMPLES: [RedisRefusal | null, string][] = [
  ['saving', 'OK\nERR Background save already in progress\n\n'],
  [
    'saving',
    "OK\nERR Another child process is active (AOF?): can't BGSAVE right now. Use BGSAVE SCHEDULE in order to schedule a BGSAVE whenever possible.\n",
  ],
  ['saving', 'OK\nERR Background append only file rewriting in progress\n'],
  [
    'refused',
    'OK\nMISCONF Redis is configured to save RDB snapshots, but it is currently unable to persist to disk.\n',
  ],
  ['refused', 'OK\nNOPERM this user has no permissions to run the bgsave command\n'],
  ['refused', 'OK\nLOADING Redis is loading the dataset in memory\n'],
  [null, 'OK\nBackground saving started\n'],
  [null, 'OK\nPONG\n'],
];

for (const [code, answer] of EXAMPLES) {
  test(`refusalIn returns ${code} for “${answer.slice(3, 50)}”`, () =>
    assert.equal(refusalIn(answer)?.code ?? null, code));
}

test('isLetIn and hasBegunSaving recognize a successful login and a started save', () => {
  assert.ok(isLetIn('OK\nPONG\n'));
  assert.ok(!isLetIn('WRONGPASS invalid username-password pair or user is disabled.\n'));
  assert.ok(hasBegunSaving('OK\nBackground saving started\n'));
  assert.ok(!hasBegunSaving('OK\nBackground saving scheduled\n'));
});
