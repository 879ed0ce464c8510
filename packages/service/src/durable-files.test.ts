import assert from 'node:assert/strict';
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { createDurablySync, makeFolder, replaceDurably, writeDurably, writeDurablySync } from './durable-files.ts';

// The test test/live/instance/power-cut.test.ts checks that the bytes are on the disk, with a disk that loses power.
describe('durable file writes', () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'davit-durable-'));
    path = join(folder, 'file');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const modeOf = (file: string) => statSync(file).mode & 0o777;

  it('replaces the file with the requested mode and leaves no temporary file', async () => {
    writeFileSync(path, 'old');
    chmodSync(path, 0o666);

    await writeDurably(path, 'new');
    assert.deepEqual([readFileSync(path, 'utf8'), modeOf(path)], ['new', 0o600]);
    writeDurablySync(path, 'newer', { mode: 0o644 });
    assert.deepEqual([readFileSync(path, 'utf8'), modeOf(path)], ['newer', 0o644]);
    assert.deepEqual(readdirSync(folder), ['file']);
  });

  it('keeps the old file and leaves no temporary file if writing fails', async () => {
    await writeDurably(path, 'old');

    const failing = replaceDurably(path, async (file) => {
      await file.writeFile('half');
      throw new Error('no more');
    });

    await assert.rejects(failing, /no more/);
    assert.deepEqual([readFileSync(path, 'utf8'), readdirSync(folder)], ['old', ['file']]);
  });

  it('overwrites a leftover temporary file, but does not follow a symlink', async () => {
    const draft = join(folder, '.file.new');
    writeFileSync(draft, 'a longer text than what follows');
    await writeDurably(path, 'new');
    assert.equal(readFileSync(path, 'utf8'), 'new');

    const other = join(folder, 'other');
    writeFileSync(other, 'a file of another program');
    symlinkSync(other, draft);
    await assert.rejects(writeDurably(path, 'newer'), { code: 'ELOOP' });
    assert.equal(readFileSync(other, 'utf8'), 'a file of another program');
  });

  it('refuses to create a file over an existing file or dangling symlink', () => {
    createDurablySync(path, 'first');
    assert.throws(() => createDurablySync(path, 'second'), { code: 'EEXIST' });
    symlinkSync(join(folder, 'nowhere'), join(folder, 'link'));
    assert.throws(() => createDurablySync(join(folder, 'link'), 'second'), { code: 'EEXIST' });
    assert.deepEqual([readFileSync(path, 'utf8'), readdirSync(folder).sort()], ['first', ['file', 'link']]);
  });

  it('creates a folder and missing parents with the given mode', async () => {
    const deep = join(folder, 'a', 'b');
    await makeFolder(deep, 0o700);
    await makeFolder(deep, 0o700);
    assert.deepEqual([modeOf(join(folder, 'a')), modeOf(deep)], [0o700, 0o700]);
  });
});
