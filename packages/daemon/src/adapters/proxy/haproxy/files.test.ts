import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { ConfigFiles } from './files.ts';

const filesOf = (config: string, routes: string) => ({
  files: { 'haproxy.cfg': config, 'routes.map': routes },
  mark: { hash: '', slots: 0 },
});

async function temporaryFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'davit-files-'));
  t.after(() => rm(folder, { recursive: true }));
  return folder;
}

test('all files change at once, and only when one differs', async (t) => {
  const folder = await temporaryFolder(t);
  const files = new ConfigFiles(folder);

  assert.equal(await files.write(filesOf('a', 'x')), true);
  assert.equal(await files.write(filesOf('a', 'x')), false);
  assert.equal(await files.write(filesOf('b', 'x')), true);

  assert.equal(await readFile(join(folder, 'current/haproxy.cfg'), 'utf8'), 'b');
  assert.equal(await readFile(join(folder, 'current/routes.map'), 'utf8'), 'x');
});

test('a daemon that starts again knows what is written', async (t) => {
  const folder = await temporaryFolder(t);
  await new ConfigFiles(folder).write(filesOf('a', 'x'));

  assert.equal(await new ConfigFiles(folder).write(filesOf('a', 'x')), false);
});

test('the files before the last ones are kept, count again when asked, and no more are', async (t) => {
  const folder = await temporaryFolder(t);
  const files = new ConfigFiles(folder);
  for (const config of ['a', 'b', 'c']) await files.write(filesOf(config, ''));

  const pairs = (await readdir(folder)).filter((name) => name.startsWith('config-'));
  await files.revert();

  assert.equal(pairs.length, 2);
  assert.equal(await readFile(join(folder, 'current/haproxy.cfg'), 'utf8'), 'b');
  assert.equal(await files.write(filesOf('c', '')), true);
});
