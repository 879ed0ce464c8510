import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';

const RUNNER = join(import.meta.dirname, '..', 'run-tests.ts');
const TEST = "import { test } from 'node:test';\n";

let root = '';
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'davit-runner-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function file(path: string, body: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), body);
}

/** Runs the runner on the folder made for the test; node:test refuses to run inside itself unless its mark is taken off. */
function runTests(...args: string[]): Promise<{ code: number | null; lines: string[] }> {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [RUNNER, '--root', root, ...args], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, lines: output.trimEnd().split('\n') }));
  });
}

async function isAlive(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  return stat !== null && !/\) Z /.test(stat);
}

test('the last line counts what passed, failed and was skipped', async () => {
  await file(
    'packages/x/src/a.test.ts',
    `${TEST}test('good', () => {}); test('bad', () => { throw new Error('broken on purpose'); });
     test('left out', { skip: 'no engine here' }, () => {});`,
  );

  const { code, lines } = await runTests('check');

  assert.equal(code, 1);
  assert.equal(lines.at(-1), '1 passed, 1 failed, 1 skipped');
  assert.ok(lines.some((line) => line.includes('broken on purpose')));
  assert.ok(lines.some((line) => line.includes('no engine here')));
});

test('nothing failed ends with exit code 0', async () => {
  await file('packages/x/src/a.test.ts', `${TEST}test('parent', (t) => t.test('child', () => {}));`);

  const { code, lines } = await runTests('check');

  assert.equal(code, 0);
  assert.equal(lines.at(-1), '2 passed, 0 failed');
});

test('a file that throws while it loads is a failure with its output', async () => {
  await file('packages/x/src/a.test.ts', `throw new Error('at load');`);

  const { code, lines } = await runTests('check');

  assert.equal(code, 1);
  assert.equal(lines.at(-1), '0 passed, 1 failed');
  assert.ok(lines.some((line) => line.includes('Error: at load')));
});

test('a file without a case is a failure', async () => {
  await file('packages/x/src/a.test.ts', 'export const nothing = 1;');

  const { lines } = await runTests('check');

  assert.equal(lines.at(-1), '0 passed, 1 failed');
});

test('a failing hook of a suite is a failure', async () => {
  const body = `describe('suite', () => { after(() => { throw new Error('in the hook'); }); test('fine', () => {}); });`;
  await file('packages/x/src/a.test.ts', `import { after, describe, test } from 'node:test';\n${body}`);

  const { lines } = await runTests('check');

  assert.equal(lines.at(-1), '1 passed, 1 failed');
  assert.ok(lines.some((line) => line.includes('in the hook')));
});

test('a file that hangs is ended with the processes it started, and fails', async () => {
  const pidFile = join(root, 'pid');
  const hang = `import { spawn } from 'node:child_process'; import { writeFileSync } from 'node:fs';
    test('hangs', async () => {
      const child = spawn('sleep', ['600'], { detached: true, stdio: 'ignore' });
      writeFileSync('${pidFile}', String(child.pid));
      await new Promise(() => setInterval(() => {}, 1000));
    });`;
  await file('packages/x/src/a.test.ts', TEST + hang);

  const { code, lines } = await runTests('check', '--limit', '2');

  assert.equal(code, 1);
  assert.ok(lines.some((line) => line.includes('was not over after 2 s')));
  assert.equal(await isAlive(Number(await readFile(pidFile, 'utf8'))), false);
});

test('what a passing file leaves running is ended too', async () => {
  const pidFile = join(root, 'pid');
  const leave = `import { spawn } from 'node:child_process'; import { writeFileSync } from 'node:fs';
    test('leaves one behind', () => {
      const child = spawn('sleep', ['600'], { detached: true, stdio: 'ignore' });
      child.unref();
      writeFileSync('${pidFile}', String(child.pid));
    });`;
  await file('packages/x/src/a.test.ts', TEST + leave);

  const { lines } = await runTests('check');

  assert.equal(lines.at(-1), '1 passed, 0 failed');
  assert.ok(lines.some((line) => line.includes('left 1 process(es) behind')));
  assert.equal(await isAlive(Number(await readFile(pidFile, 'utf8'))), false);
});

test('a live suite that runs nothing where it could is a failure', async () => {
  await file('test/live/a.test.ts', `${TEST}test('real', { skip: 'no reason' }, () => {});`);

  const { code, lines } = await runTests('test', '--live');

  assert.equal(code, 1);
  assert.ok(lines.some((line) => line.includes('test/live ran no case')));
});

test('the tiers choose the folders, and only the long one says so to the tests', async () => {
  await file('packages/x/src/a.test.ts', `${TEST}test('unit', () => {});`);
  await file('packages/x/test/b.test.ts', `${TEST}test('whole', () => {});`);
  await file(
    'test/live/c.test.ts',
    `${TEST}test('live', (t) => { if (process.env.DAVIT_TEST_LONG !== '1') t.skip('short'); });`,
  );

  const ends = [];
  for (const tier of ['check', 'test', 'long']) ends.push((await runTests(tier)).lines.at(-1));

  assert.deepEqual(ends, ['1 passed, 0 failed', '2 passed, 0 failed, 1 skipped', '3 passed, 0 failed']);
});

test('a narrowed run takes the files with that in their path, and says when there is none', async () => {
  await file('packages/x/src/a.test.ts', `${TEST}test('a', () => {});`);
  await file('packages/x/src/b.test.ts', `${TEST}test('b', () => {});`);

  const some = await runTests('check', '--only', 'src/a');
  const none = await runTests('check', '--only', 'nowhere');

  assert.equal(some.lines.at(-1), '1 passed, 0 failed');
  assert.equal(none.code, 1);
});

test('files on the engine never meet, and others run beside them', async () => {
  const met = join(root, 'met');
  const alone = `import { mkdirSync, rmdirSync, existsSync } from 'node:fs';
    test('has the engine to itself', async () => {
      mkdirSync('${root}/engine');
      while (!existsSync('${met}')) await new Promise((resolve) => setTimeout(resolve, 20));
      rmdirSync('${root}/engine');
    });`;
  const beside = `import { existsSync, mkdirSync } from 'node:fs';
    test('meets one of them', async () => {
      while (!existsSync('${root}/engine')) await new Promise((resolve) => setTimeout(resolve, 20));
      mkdirSync('${met}');
    });`;
  for (const name of ['a', 'b', 'c']) await file(`test/live/${name}.test.ts`, TEST + alone);
  await file('packages/x/test/beside.test.ts', TEST + beside);

  const { lines } = await runTests('test', '--limit', '60');

  assert.equal(lines.at(-1), '4 passed, 0 failed');
});
