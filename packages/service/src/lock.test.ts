import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { DataDirTaken, lockDataDir } from './lock.ts';

describe('the lock of a data directory', () => {
  let dataDir: string;
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'davit-lock-'));
  });
  afterEach(() => rmSync(dataDir, { recursive: true }));

  const garbage = () => writeFileSync(join(dataDir, 'lock.db'), 'locked by process 4711\n'.repeat(300), { flag: 'r+' });

  it('is held by one at a time', () => {
    const held = lockDataDir(dataDir, 'Davit');
    assert.throws(() => lockDataDir(dataDir, 'Davit'), DataDirTaken);
    held[Symbol.dispose]();
    lockDataDir(dataDir, 'Davit')[Symbol.dispose]();
  });

  it('is taken from a damaged file when nobody holds it, and the file is emptied', () => {
    lockDataDir(dataDir, 'Davit')[Symbol.dispose]();
    garbage();
    using _ = lockDataDir(dataDir, 'Davit');
    assert.equal(statSync(join(dataDir, 'lock.db')).size, 0);
    assert.throws(() => lockDataDir(dataDir, 'Davit'), DataDirTaken);
  });
});
