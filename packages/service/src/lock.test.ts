import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { DataDirTaken, lockDataDir } from './lock.ts';

describe('data directory lock', () => {
  let dataDir: string;
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'davit-lock-'));
  });
  afterEach(() => rmSync(dataDir, { recursive: true }));

  const garbage = () => writeFileSync(join(dataDir, 'lock.db'), 'locked by process 4711\n'.repeat(300), { flag: 'r+' });

  it('allows only a single holder at a time', () => {
    const held = lockDataDir(dataDir, 'Davit');
    assert.throws(() => lockDataDir(dataDir, 'Davit'), DataDirTaken);
    held[Symbol.dispose]();
    lockDataDir(dataDir, 'Davit')[Symbol.dispose]();
  });

  it('takes the lock from a damaged file and empties the file', () => {
    lockDataDir(dataDir, 'Davit')[Symbol.dispose]();
    garbage();
    using _ = lockDataDir(dataDir, 'Davit');
    assert.equal(statSync(join(dataDir, 'lock.db')).size, 0);
    assert.throws(() => lockDataDir(dataDir, 'Davit'), DataDirTaken);
  });
});
