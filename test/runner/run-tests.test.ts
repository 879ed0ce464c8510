import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, test } from 'node:test';
import { HANGS, isAlive, leavesBehind, MadeRun } from '../support/made-run.ts';

let made: MadeRun;
beforeEach(async () => {
  made = await MadeRun.make();
});
afterEach(() => made[Symbol.asyncDispose]());

test('the last line counts passed, failed and skipped cases', async () => {
  await made.file(
    'packages/x/src/a.test.ts',
    `test('good', () => {}); test('bad', () => { throw new Error('broken on purpose'); });
     test('left out', { skip: 'no engine here' }, () => {});`,
  );

  const { code, lines } = await made.run('check');

  assert.equal(code, 1);
  assert.equal(lines.at(-1), '1 passed, 1 failed, 1 skipped');
  assert.ok(lines.some((line) => line.includes('broken on purpose')));
  assert.ok(lines.some((line) => line.includes('no engine here')));
});

test('the output lists the slowest files first', async () => {
  await made.file('packages/x/src/quick.test.ts', `test('quick', () => {});`);
  await made.file('test/slow.test.ts', `test('slow', () => new Promise((resolve) => setTimeout(resolve, 1_000)));`);

  const { lines } = await made.run('test');

  const from = lines.indexOf('Slowest files:');
  const named = lines.slice(from + 1, from + 3).map((line) => line.trim().split(/\s+/).at(-1));
  assert.deepEqual(named, ['test/slow.test.ts', 'packages/x/src/quick.test.ts']);
});

test('the runner exits with code 0 if no case fails', async () => {
  await made.file('packages/x/src/a.test.ts', `test('parent', (t) => t.test('child', () => {}));`);

  const { code, lines } = await made.run('check');

  assert.equal(code, 0);
  assert.equal(lines.at(-1), '2 passed, 0 failed');
});

test('a file that throws while loading counts as a failure with its output', async () => {
  await made.file('packages/x/src/a.test.ts', `throw new Error('at load');`);

  const { code, lines } = await made.run('check');

  assert.equal(code, 1);
  assert.equal(lines.at(-1), '0 passed, 1 failed');
  assert.ok(lines.some((line) => line.includes('Error: at load')));
});

test('a file without a test case counts as a failure', async () => {
  await made.file('packages/x/src/a.test.ts', 'export const nothing = 1;');

  const { lines } = await made.run('check');

  assert.equal(lines.at(-1), '0 passed, 1 failed');
});

test('a skipped suite counts as a single skipped case with its reason', async () => {
  const body = `describe('suite', { skip: 'no image here' }, () => { test('one', () => {}); test('two', () => {}); });`;
  await made.file(
    'packages/x/src/a.test.ts',
    `import { describe } from 'node:test';\n${body}\ntest('other', () => {});`,
  );

  const { code, lines } = await made.run('check');

  assert.equal(code, 0);
  assert.equal(lines.at(-1), '1 passed, 0 failed, 1 skipped');
  assert.ok(lines.some((line) => line.includes('suite (no image here)')));
});

test('a failing hook of a suite counts as a failure', async () => {
  const body = `describe('suite', () => { after(() => { throw new Error('in the hook'); }); test('fine', () => {}); });`;
  await made.file('packages/x/src/a.test.ts', `import { after, describe } from 'node:test';\n${body}`);

  const { lines } = await made.run('check');

  assert.equal(lines.at(-1), '1 passed, 1 failed');
  assert.ok(lines.some((line) => line.includes('in the hook')));
});

test('a case that fails and cannot be cleaned up reports both errors', async () => {
  await made.file(
    'packages/x/src/a.test.ts',
    `test('bad', async () => {
       await using opened = { [Symbol.asyncDispose]: () => { throw new Error('not closed'); } };
       throw new Error('the cause');
     });`,
  );

  const { lines } = await made.run('check');

  const said = lines.filter((line) => /^ +Error: /.test(line)).map((line) => line.trim());
  const once = ['Error: the cause', 'Error: not closed'];
  assert.deepEqual(said, [...once, ...once], 'when the file ends, and at the end of the run');
});

test('an error after the end of a case counts as a failure', async () => {
  const late = `setTimeout(() => Promise.reject(new Error('unhandled rejection')), 50)`;
  await made.file('packages/x/src/a.test.ts', `test('done', () => { ${late}; });`);

  const { code, lines } = await made.run('check');

  assert.equal(code, 1);
  assert.equal(lines.at(-1), '1 passed, 1 failed');
  assert.ok(lines.some((line) => line.includes('unhandled rejection')));
});

test('a file that hangs is ended with its child processes and fails', async () => {
  await made.file('packages/x/src/a.test.ts', leavesBehind(made, HANGS));

  const { code, lines, limitS } = await made.runUntilLimit('check');

  assert.equal(code, 1);
  assert.ok(lines.some((line) => line.includes(`was not over after ${limitS} s`)));
  assert.equal(await isAlive(Number(await made.left('pid'))), false);
});

test('the output names a case that hangs', async () => {
  const hangs = `writeFileSync('${made.root}/pid', 'none'); ${HANGS}`;
  const cases = `test('good', () => {}); test('waits', async () => { ${hangs} }); test('never begun', () => {});`;
  await made.file(
    'packages/x/src/a.test.ts',
    `import { writeFileSync } from 'node:fs'; import { describe } from 'node:test';\ndescribe('suite', () => { ${cases} });`,
  );

  const { lines, limitS } = await made.runUntilLimit('check');

  const said = lines.findIndex((line) => line.includes('✗ suite › waits'));
  assert.ok(
    lines
      .slice(said, said + 4)
      .join('\n')
      .includes(`The file was not over after ${limitS} s`),
  );
});

test('processes that a passing file leaves running are ended', async () => {
  await made.file('packages/x/src/a.test.ts', leavesBehind(made));

  const { lines } = await made.run('check');

  assert.equal(lines.at(-1), '1 passed, 0 failed');
  assert.ok(lines.some((line) => line.includes('left 1 process(es) behind')));
  assert.equal(await isAlive(Number(await made.left('pid'))), false);
});

test('an interrupted run ends all processes of its test files', async () => {
  await made.file('packages/x/src/a.test.ts', leavesBehind(made, HANGS));
  const { child, ended } = made.start(['check']);
  const pid = Number(await made.left('pid'));

  child.kill('SIGTERM');

  assert.equal((await ended).code, 130);
  assert.equal(await isAlive(pid), false);
});

test('a live suite that runs no case counts as a failure', async () => {
  await made.file('test/live/noun/a.test.ts', `test('real', { skip: 'no reason' }, () => {});`);

  const { code, lines } = await made.run('test', '--live');

  assert.equal(code, 1);
  assert.ok(lines.some((line) => line.includes('test/live ran no case')));
});

test('the tier selects the test folders, and only tier long sets DAVIT_TEST_LONG', async () => {
  await made.file('packages/x/src/a.test.ts', `test('unit', () => {});`);
  await made.file('packages/x/test/b.test.ts', `test('whole', () => {});`);
  await made.file(
    'test/live/c.test.ts',
    `test('live', (t) => { if (process.env.DAVIT_TEST_LONG !== '1') t.skip('short'); });`,
  );

  const ends = [];
  for (const tier of ['check', 'test', 'long']) ends.push((await made.run(tier)).lines.at(-1));

  assert.deepEqual(ends, ['1 passed, 0 failed', '2 passed, 0 failed, 1 skipped', '3 passed, 0 failed']);
});

test('the option --only runs matching files and fails if no file matches', async () => {
  await made.file('packages/x/src/a.test.ts', `test('a', () => {});`);
  await made.file('packages/x/src/b.test.ts', `test('b', () => {});`);

  const some = await made.run('check', '--only', 'src/a');
  const none = await made.run('check', '--only', 'nowhere');

  assert.equal(some.lines.at(-1), '1 passed, 0 failed');
  assert.equal(none.code, 1);
});

test('at most two engine test files run at a time, with other files in parallel', async () => {
  const log = `${made.root}/log`;
  const logs = `import { appendFileSync, readFileSync } from 'node:fs';
    const lines = (word) => readFileSync('${log}', 'utf8').split('\\n').filter((line) => line === word).length;
    const until = async (isSo) => { while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 20)); };`;
  // Each file waits until the other file of its pair and the unrelated file run.
  const pair = `${logs} test('is one of two', async () => {
      appendFileSync('${log}', 'begins\\n');
      const wanted = lines('begins') + (lines('begins') % 2);
      await until(() => lines('begins') >= wanted && lines('beside') === 1);
      appendFileSync('${log}', 'ends\\n');
    });`;
  const parallel = `${logs} test('is beside them', async () => {
      await until(() => lines('begins') > 0);
      appendFileSync('${log}', 'beside\\n');
    });`;
  await writeFile(log, '');
  for (const name of ['a', 'b', 'c', 'd']) await made.file(`test/live/${name}.test.ts`, pair);
  await made.file('packages/x/test/beside.test.ts', parallel);

  const { lines } = await made.run('test');

  assert.equal(lines.at(-1), '5 passed, 0 failed');
  const said = (await readFile(log, 'utf8')).split('\n').filter((line) => line !== 'beside');
  const atOnce = said.map((_, i) => said.slice(0, i).reduce((sum, line) => sum + (line === 'begins' ? 1 : -1), 0));
  assert.equal(Math.max(...atOnce), 2);
});
