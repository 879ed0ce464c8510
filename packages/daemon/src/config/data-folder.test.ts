import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { DataDirUnusable, prepareDataDir } from './data-folder.ts';

describe('a data directory', () => {
  let folder: string;
  let dataDir: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'davit-data-folder-'));
    dataDir = join(folder, 'data');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const mode = () => statSync(dataDir).mode & 0o777;
  const with755 = (...files: string[]) => {
    mkdirSync(dataDir);
    chmodSync(dataDir, 0o755);
    for (const file of files) writeFileSync(join(dataDir, file), '');
  };

  it('is made for its owner alone', () => {
    prepareDataDir(dataDir);
    assert.equal(mode(), 0o700);
  });

  for (const files of [[], ['davit.log'], ['davit.db', 'notes.txt']])
    it(`that others may look into is closed to them, with ${files.join(' and ') || 'nothing'} in it`, () => {
      with755(...files);
      prepareDataDir(dataDir);
      assert.equal(mode(), 0o700);
    });

  it('is not made of a folder that others use', () => {
    with755('notes.txt');
    assert.throws(() => prepareDataDir(dataDir), DataDirUnusable);
    assert.equal(mode(), 0o755);
  });

  for (const name of ['davit.db', 'davit.db-wal', 'davit.db-shm', 'lock.db', 'master.key', 'davit.log', 'davit.sock'])
    it(`with a folder in place of ${name} is refused with what to do`, () => {
      mkdirSync(join(dataDir, name), { recursive: true, mode: 0o700 });
      assert.throws(() => prepareDataDir(dataDir), {
        name: 'DataDirUnusable',
        message: `${join(dataDir, name)} is a folder, but Davit needs a file at this path. Move it away and start again.`,
      });
    });

  for (const name of ['proxy', 'registry', 'names', 'packages', 'logs', 'backups'])
    it(`with a file in place of ${name} is refused with what to do`, () => {
      mkdirSync(dataDir, { mode: 0o700 });
      writeFileSync(join(dataDir, name), '');
      assert.throws(() => prepareDataDir(dataDir), /is a file, but Davit needs a folder at this path\. Move it away/);
    });

  it('that is a file is refused', () => {
    writeFileSync(dataDir, '');
    assert.throws(() => prepareDataDir(dataDir), /is a file\. Move the file away/);
  });

  it('may have links to files and folders elsewhere', () => {
    mkdirSync(dataDir, { mode: 0o700 });
    mkdirSync(join(folder, 'large'));
    symlinkSync(join(folder, 'large'), join(dataDir, 'backups'));
    symlinkSync(join(folder, 'not-mounted'), join(dataDir, 'master.key'));
    prepareDataDir(dataDir);
  });
});
