import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { lockDataDir } from '@davit/service';
import { daemonOf, stopAndLock } from '../../src/offline/daemon-process.ts';

/** Program that locks the data directory like a daemon, and ends at SIGTERM. */
const HOLDER = `
  const { lockDataDir } = await import('@davit/service');
  globalThis.lock = lockDataDir(process.argv[1], 'Davit');
  console.log('locked');
  setInterval(() => undefined, 1_000);
`;

async function holder(dataDir: string) {
  const child = spawn(process.execPath, ['--input-type=module', '-e', HOLDER, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
    cwd: import.meta.dirname,
  });
  await once(child.stdout, 'data');
  return child;
}

test('the daemon of a data directory is found by its lock, stopped, and kept from starting', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'davit-lock-'));
  assert.equal(daemonOf(dataDir), null);
  const child = await holder(dataDir);
  const exited = once(child, 'exit');
  assert.equal(daemonOf(dataDir), child.pid);

  const lock = await stopAndLock(dataDir);

  assert.deepEqual(await exited, [null, 'SIGTERM']);
  assert.equal(daemonOf(dataDir), process.pid);
  lock[Symbol.dispose]();
  assert.equal(daemonOf(dataDir), null);
});

test('a process that only reads the lock file is not mistaken for the daemon', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'davit-lock-'));
  lockDataDir(dataDir, 'Davit')[Symbol.dispose]();
  const file = openSync(join(dataDir, 'lock.db'), 'r');
  try {
    assert.equal(daemonOf(dataDir), null);
  } finally {
    closeSync(file);
  }
});
