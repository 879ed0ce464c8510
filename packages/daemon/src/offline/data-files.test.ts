import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { markedId } from '../config/instance-id.ts';
import { removeDataDir } from './data-files.ts';

function dataDir(...others: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'davit-files-'));
  for (const name of ['backups', 'registry']) mkdirSync(join(folder, name));
  const files = ['instance-id', 'lock.db', 'davit.db', 'davit.db-damaged', '.master.key.new', 'backups/1', ...others];
  for (const name of files) writeFileSync(join(folder, name), 'k3x9w2ab\n');
  return folder;
}

test('the data directory is removed, and its id and lock are removed last', async () => {
  const folder = dataDir();
  const removed: string[] = [];

  assert.equal(markedId(folder), 'k3x9w2ab');
  assert.deepEqual(await removeDataDir(folder, true, (path) => removed.push(path)), []);

  assert.deepEqual(removed.slice(-2), [join(folder, 'instance-id'), join(folder, 'lock.db')]);
  assert.equal(existsSync(folder), false);
  assert.equal(markedId(folder), null);
});

test('files of other programs stay in the data directory', async () => {
  const folder = dataDir('notes.txt');

  const kept = await removeDataDir(folder, true, () => undefined);

  assert.deepEqual(readdirSync(folder), ['notes.txt']);
  assert.deepEqual(
    kept.map(({ path }) => path),
    [folder],
  );
});

test('the id stays while Docker objects of the instance remain', async () => {
  const folder = dataDir();

  const kept = await removeDataDir(folder, false, () => undefined);

  assert.deepEqual(readdirSync(folder), ['instance-id', 'lock.db']);
  assert.equal(kept.length, 1);
});
