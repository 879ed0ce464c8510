/** Browser test files run in a private network each, or after all other files if no networks can be created. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { canBeApart } from '../../scripts/testing/apart.ts';
import { HANGS, isAlive, leavesBehind, MadeRun } from '../support/made-run.ts';

const skip = (await canBeApart()) ? false : 'networks cannot be made here';

let made: MadeRun;
beforeEach(async () => {
  made = await MadeRun.make();
});
afterEach(() => made[Symbol.asyncDispose]());

/** Returns a test case that waits until the other file also runs. */
const meets = (own: string, other: string) => `import { existsSync, writeFileSync } from 'node:fs';
  test('meets the other', async () => {
    writeFileSync('${made.root}/${own}', 'here');
    while (!existsSync('${made.root}/${other}')) await new Promise((resolve) => setTimeout(resolve, 20));
  });`;

describe('a browser test file', { skip }, () => {
  test('runs in a private network and reaches servers on localhost', async () => {
    await made.file(
      'test/e2e/a.test.ts',
      `import assert from 'node:assert/strict'; import { createServer } from 'node:http'; import { networkInterfaces } from 'node:os';
       test('is alone', async () => {
         assert.deepEqual(Object.keys(networkInterfaces()), ['lo', 'davit0']);
         const server = createServer((_, response) => response.end('found')).listen(0, '127.0.0.1');
         await new Promise((resolve) => server.on('listening', resolve));
         for (const host of ['127.0.0.1', 'localhost'])
           assert.equal(await (await fetch('http://' + host + ':' + server.address().port)).text(), 'found');
         server.close();
       });`,
    );

    const { lines } = await made.run('test');

    assert.equal(lines.at(-1), '1 passed, 0 failed');
  });

  test('runs at the same time as a test file on the engine', async () => {
    await made.file('test/live/a.test.ts', meets('live', 'e2e'));
    await made.file('test/e2e/a.test.ts', meets('e2e', 'live'));

    const { lines } = await made.run('test');

    assert.equal(lines.at(-1), '2 passed, 0 failed');
  });

  test('reports failed cases together with the output of the file', async () => {
    await made.file(
      'test/e2e/a.test.ts',
      `console.log('said before'); test('bad', () => { throw new Error('on purpose'); }); test('good', () => {});`,
    );

    const { code, lines } = await made.run('test');

    assert.equal(code, 1);
    assert.equal(lines.at(-1), '1 passed, 1 failed');
    assert.ok(lines.some((line) => line.includes('Error: on purpose')));
    assert.ok(lines.some((line) => line.includes('said before')));
  });

  test('is ended with its child processes at the time limit, and earlier cases count', async () => {
    await made.file('test/e2e/a.test.ts', `test('good', () => {}); ${leavesBehind(made, HANGS)}`);

    const { lines, limitS } = await made.runUntilLimit('test');

    assert.match(lines.at(-1) ?? '', /^1 passed, \d failed$/);
    assert.ok(lines.some((line) => line.includes(`was not over after ${limitS} s`)));
    assert.equal(await isAlive(Number(await made.left('pid'))), false);
  });

  test('is ended with its child processes when the run is interrupted', async () => {
    await made.file(
      'test/e2e/a.test.ts',
      leavesBehind(made, `writeFileSync('${made.root}/own', String(process.pid)); ${HANGS}`),
    );
    const { child, ended } = made.start(['test']);
    const pids = [Number(await made.left('pid')), Number(await made.left('own'))];

    child.kill('SIGTERM');

    assert.equal((await ended).code, 130);
    for (const pid of pids) assert.equal(await isAlive(pid), false);
  });
});

test('browser test files run after all other files if networks cannot be created', async () => {
  await made.file(
    'test/live/a.test.ts',
    `import { writeFileSync } from 'node:fs';
    test('first', async () => { await new Promise((resolve) => setTimeout(resolve, 300)); writeFileSync('${made.root}/over', 'yes'); });`,
  );
  await made.file(
    'test/e2e/a.test.ts',
    `import { existsSync } from 'node:fs'; import assert from 'node:assert/strict';
    test('later', () => assert.ok(existsSync('${made.root}/over')));`,
  );

  const { lines } = await made.start(['test'], { PATH: made.root }).ended;

  assert.equal(lines.at(-1), '2 passed, 0 failed');
  assert.ok(lines.some((line) => line.includes('the files in a browser come after all others')));
});
