import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { sessionIn, sessionOf } from './session.ts';

describe('process sessions', () => {
  it('sessionIn reads the session ID regardless of the program’s name', () => {
    assert.equal(sessionIn('4242 (sh) S 1 4242 4240 34816 4242 4194304 0'), 4240);
    assert.equal(sessionIn('4242 (a) R 1 (2 3) S 1 4242 4240 34816 4242'), 4240);
  });

  it('sessionOf returns only processes of the given container', async () => {
    const own = sessionIn(await readFile('/proc/self/stat', 'utf8'));

    const found = await sessionOf(own, '/');

    assert.ok(found.some(({ pid }) => pid === process.pid));
    assert.deepEqual(await sessionOf(own, 'a'.repeat(64)), []);
  });

  it('sessionOf returns an empty list for an ended session', async () => {
    assert.deepEqual(await sessionOf(2 ** 30, '/'), []);
  });
});
