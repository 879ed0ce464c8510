import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { describe, it } from 'node:test';
import { readMachine, ticksOf } from './server-usage.ts';

describe('server usage', () => {
  it('counts CPU time without idle and wait time, and guest time once', () => {
    assert.deepEqual(ticksOf('cpu  10 1 20 100 9 2 3 5 7 7\ncpu0 1 1 1 1\n'), [41, 150]);
  });

  it('is read from the files of the Linux kernel', {
    skip: process.platform !== 'linux' && 'there are none',
  }, async () => {
    const reading = await readMachine(1, tmpdir());
    assert.ok(reading);
    const { memoryBytes, memoryTotalBytes, diskBytes, diskTotalBytes, load, counters } = reading;
    assert.ok(memoryBytes > 0 && memoryBytes < memoryTotalBytes);
    assert.ok(diskBytes > 0 && diskBytes <= diskTotalBytes);
    assert.ok(load >= 0 && counters.counts.every((count) => count >= 0));
  });

  it('is null for a missing file system', async () => {
    assert.equal(await readMachine(1, '/nowhere/at/all'), null);
  });
});
