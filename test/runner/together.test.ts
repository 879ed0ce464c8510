/** Test files that share a process: the results of each file must be the same as in a separate process. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { isAlive, leavesBehind, MadeRun } from '../support/made-run.ts';

let made: MadeRun;
beforeEach(async () => {
  made = await MadeRun.make();
});
afterEach(() => made[Symbol.asyncDispose]());

const HOOKS = "import { afterEach, beforeEach } from 'node:test';";

/** Returns a test case that fails if another file with this test case already ran in the process. */
const wantsToBeAlone = (body: string) =>
  `test('alone', () => { if (globalThis.isTaken) throw new Error('taken'); globalThis.isTaken = true; }); ${body}`;

test('files of a package share a process unless a file requests its own process', async () => {
  const sourceOf = (name: string) =>
    `import { writeFileSync } from 'node:fs'; test('tells', () => writeFileSync('${made.root}/${name}', String(process.pid)));`;
  for (const name of ['a', 'b']) await made.file(`packages/x/src/${name}.test.ts`, sourceOf(name));
  await made.file('packages/y/src/c.test.ts', sourceOf('c'));
  await made.file('packages/x/src/d.test.ts', `/** By itself: it says so. */\n${sourceOf('d')}`);

  await made.run('check');

  const [a, b, c, d] = await Promise.all(['a', 'b', 'c', 'd'].map((name) => made.left(name)));
  assert.equal(a, b);
  assert.equal(new Set([a, c, d]).size, 3);
});

test('hooks of a file apply only to cases of the same file', async () => {
  await made.file(
    'packages/x/src/a.test.ts',
    `${HOOKS} let hooks = 0; beforeEach(() => { hooks += 1; }); afterEach(() => { if (hooks > 1) throw new Error('too many'); });
     test('one', () => { if (hooks !== 1) throw new Error('no hook'); });`,
  );
  await made.file('packages/x/src/b.test.ts', `test('two', () => {}); test('three', () => {});`);

  assert.equal((await made.run('check')).lines.at(-1), '3 passed, 0 failed');
});

test('a failed case is reported with its file, suites and line', async () => {
  await made.file('packages/x/src/a.test.ts', `test('good', () => {});`);
  await made.file(
    'packages/x/src/b.test.ts',
    `import { describe } from 'node:test';\ndescribe('suite', () => {\ntest('bad', () => { throw new Error('on purpose'); }); });`,
  );

  const { lines } = await made.run('check');

  assert.equal(lines.at(-1), '1 passed, 1 failed');
  const said = lines.findIndex((line) => line.includes('✗ suite › bad'));
  assert.match(lines[said + 1] ?? '', /packages\/x\/src\/b\.test\.ts:4$/);
});

test('a file that ends the process fails, and cases of other files still count', async () => {
  await made.file('packages/x/src/a.test.ts', `test('good', () => {});`);
  await made.file('packages/x/src/b.test.ts', `test('ends', () => { console.log('last words'); process.exit(3); });`);
  await made.file('packages/x/src/c.test.ts', `test('good', () => {});`);

  const { lines } = await made.run('check');

  assert.equal(lines.at(-1), '2 passed, 1 failed');
  assert.ok(lines.some((line) => line.includes('packages/x/src/b.test.ts')));
  assert.ok(lines.some((line) => line.includes('last words')));
});

test('a file without cases and a file that throws while loading fail beside other files', async () => {
  await made.file('packages/x/src/a.test.ts', `test('good', () => {});`);
  await made.file('packages/x/src/b.test.ts', 'export const nothing = 1;');
  await made.file('packages/x/src/c.test.ts', `throw new Error('at load');`);

  const { lines } = await made.run('check');

  assert.equal(lines.at(-1), '1 passed, 2 failed');
  assert.ok(lines.some((line) => line.includes('Error: at load')));
});

test('a leftover process is reported with the file that left the process running', async () => {
  await made.file('packages/x/src/a.test.ts', `test('good', () => {});`);
  await made.file('packages/x/src/b.test.ts', leavesBehind(made));

  const { lines } = await made.run('check');

  assert.equal(lines.at(-1), '2 passed, 0 failed');
  assert.ok(lines.some((line) => line.includes('b.test.ts left 1 process(es) behind')));
  assert.ok(!lines.some((line) => line.includes('a.test.ts left')));
  assert.equal(await isAlive(Number(await made.left('pid'))), false);
});

test('cases that fail only in a shared process count as failures', async () => {
  await made.file('packages/x/src/a.test.ts', wantsToBeAlone(''));
  await made.file('packages/x/src/b.test.ts', wantsToBeAlone(''));
  await made.file('packages/y/src/a.test.ts', wantsToBeAlone(''));
  await made.file('packages/y/src/b.test.ts', `test('ends', () => { if (globalThis.isTaken) process.exit(3); });`);

  const { lines } = await made.run('check');

  assert.equal(lines.at(-1), '3 passed, 2 failed', lines.join('\n'));
  assert.ok(lines.some((line) => line.includes('Each of these was fine alone, and the process of all broke off')));
});
