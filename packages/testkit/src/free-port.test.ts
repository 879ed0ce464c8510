import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { freePort } from './free-port.ts';

/**
 * Number of ports that each process selects, out of about 22,000. Two processes that selected them at random would
 * almost always select some of the same ports.
 */
const MANY = 300;

describe('freePort', () => {
  it('returns different ports to two processes that run at the same time', async () => {
    const mine = new Set<number>();
    for (let n = 0; n < MANY; n += 1) mine.add(await freePort());

    const module = new URL('./free-port.ts', import.meta.url).href;
    const script = `const { freePort } = await import('${module}');
      const ports = [];
      for (let n = 0; n < ${MANY}; n += 1) ports.push(await freePort());
      console.log(JSON.stringify(ports));`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script]);
    const theirs = JSON.parse(stdout) as number[];

    assert.equal(mine.size, MANY);
    assert.equal(theirs.length, MANY);
    assert.deepEqual(
      theirs.filter((port) => mine.has(port)),
      [],
    );
  });
});
