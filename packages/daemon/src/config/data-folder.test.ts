import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { DataDirUnusable, prepareDataDir } from './data-folder.ts';

describe('prepareDataDir', () => {
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

  it('creates the directory with access only for its owner', () => {
    prepareDataDir(dataDir);
    assert.equal(mode(), 0o700);
  });

  for (const files of [[], ['davit.log'], ['davit.db', 'notes.txt']])
    it(`restricts access to a directory that contains ${files.join(' and ') || 'nothing'}`, () => {
      with755(...files);
      prepareDataDir(dataDir);
      assert.equal(mode(), 0o700);
    });

  it('refuses a directory that contains only files of other programs', () => {
    with755('notes.txt');
    assert.throws(() => prepareDataDir(dataDir), DataDirUnusable);
    assert.equal(mode(), 0o755);
  });

  for (const name of ['davit.db', 'davit.db-wal', 'davit.db-shm', 'lock.db', 'master.key', 'davit.log', 'davit.sock'])
    it(`refuses a folder at the path of ${name} and suggests a solution`, () => {
      mkdirSync(join(dataDir, name), { recursive: true, mode: 0o700 });
      assert.throws(() => prepareDataDir(dataDir), {
        name: 'DataDirUnusable',
        message: `${join(dataDir, name)} is a folder, but Davit needs a file at this path. Move it away and start again.`,
      });
    });

  for (const name of ['proxy', 'registry', 'names', 'packages', 'logs', 'backups'])
    it(`refuses a file at the path of the folder ${name} and suggests a solution`, () => {
      mkdirSync(dataDir, { mode: 0o700 });
      writeFileSync(join(dataDir, name), '');
      assert.throws(() => prepareDataDir(dataDir), /is a file, but Davit needs a folder at this path\. Move it away/);
    });

  it('refuses a data directory path that is a file', () => {
    writeFileSync(dataDir, '');
    assert.throws(() => prepareDataDir(dataDir), /is a file\. Move the file away/);
  });

  it('accepts symbolic links to files and folders elsewhere', () => {
    mkdirSync(dataDir, { mode: 0o700 });
    mkdirSync(join(folder, 'large'));
    symlinkSync(join(folder, 'large'), join(dataDir, 'backups'));
    symlinkSync(join(folder, 'not-mounted'), join(dataDir, 'master.key'));
    prepareDataDir(dataDir);
  });
});
