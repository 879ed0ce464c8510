import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { sessionIn, sessionOf } from './session.ts';

describe('the processes of a session', () => {
  it('are known by the sixth field, whatever the name of a program', () => {
    assert.equal(sessionIn('4242 (sh) S 1 4242 4240 34816 4242 4194304 0'), 4240);
    assert.equal(sessionIn('4242 (a) R 1 (2 3) S 1 4242 4240 34816 4242'), 4240);
  });

  it('are those of the container alone: a number that means another process by now is left alone', async () => {
    const own = sessionIn(await readFile('/proc/self/stat', 'utf8'));

    const found = await sessionOf(own, '/');

    assert.ok(found.some(({ pid }) => pid === process.pid));
    assert.deepEqual(await sessionOf(own, 'a'.repeat(64)), []);
  });

  it('are none when it has ended', async () => {
    assert.deepEqual(await sessionOf(2 ** 30, '/'), []);
  });
});
