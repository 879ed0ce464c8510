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

test('ConfigFiles replaces all files together and only if a file differs', async (t) => {
  const folder = await temporaryFolder(t);
  const files = new ConfigFiles(folder);

  assert.equal(await files.write(filesOf('a', 'x')), true);
  assert.equal(await files.write(filesOf('a', 'x')), false);
  assert.equal(await files.write(filesOf('b', 'x')), true);

  assert.equal(await readFile(join(folder, 'current/haproxy.cfg'), 'utf8'), 'b');
  assert.equal(await readFile(join(folder, 'current/routes.map'), 'utf8'), 'x');
});

test('ConfigFiles detects unchanged files after a daemon restart', async (t) => {
  const folder = await temporaryFolder(t);
  await new ConfigFiles(folder).write(filesOf('a', 'x'));

  assert.equal(await new ConfigFiles(folder).write(filesOf('a', 'x')), false);
});

test('ConfigFiles keeps only the previous files and restores them on revert', async (t) => {
  const folder = await temporaryFolder(t);
  const files = new ConfigFiles(folder);
  for (const config of ['a', 'b', 'c']) await files.write(filesOf(config, ''));

  const pairs = (await readdir(folder)).filter((name) => name.startsWith('config-'));
  await files.revert();

  assert.equal(pairs.length, 2);
  assert.equal(await readFile(join(folder, 'current/haproxy.cfg'), 'utf8'), 'b');
  assert.equal(await files.write(filesOf('c', '')), true);
});
