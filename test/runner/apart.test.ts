/** Test files in a browser, each with a network of its own, and what becomes of them where there can be none. */
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

/** Waits for the other of two files. */
const meets = (own: string, other: string) => `import { existsSync, writeFileSync } from 'node:fs';
  test('meets the other', async () => {
    writeFileSync('${made.root}/${own}', 'here');
    while (!existsSync('${made.root}/${other}')) await new Promise((resolve) => setTimeout(resolve, 20));
  });`;

describe('a file in a browser', { skip }, () => {
  test('has a network that nothing else is on, and finds itself there', async () => {
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

  test('runs beside one on the engine', async () => {
    await made.file('test/live/a.test.ts', meets('live', 'e2e'));
    await made.file('test/e2e/a.test.ts', meets('e2e', 'live'));

    const { lines } = await made.run('test');

    assert.equal(lines.at(-1), '2 passed, 0 failed');
  });

  test('says what failed, with its output', async () => {
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

  test('that hangs is ended with what it started, and the cases before count', async () => {
    await made.file('test/e2e/a.test.ts', `test('good', () => {}); ${leavesBehind(made, HANGS)}`);

    const { lines, limitS } = await made.runUntilLimit('test');

    assert.match(lines.at(-1) ?? '', /^1 passed, \d failed$/);
    assert.ok(lines.some((line) => line.includes(`was not over after ${limitS} s`)));
    assert.equal(await isAlive(Number(await made.left('pid'))), false);
  });

  test('is ended with what it started when the run is interrupted', async () => {
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

test('files in a browser come after all others where there can be no networks', async () => {
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
