/**
 * A data directory on a real disk that is completely full: no data is damaged, and the instance recovers automatically.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, open, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { createLogger } from '@davit/service';
import { createMemoryEngine } from '../../../packages/daemon/src/adapters/engine/memory/memory.ts';
import { instanceSettings } from '../../../packages/daemon/src/config/instance-settings.ts';
import { unchecked } from '../../../packages/daemon/src/db/select.ts';
import { Store } from '../../../packages/daemon/src/db/store.ts';
import { readSetting, writeSetting } from '../../../packages/daemon/src/db/tables/settings.ts';
import { publicError } from '../../../packages/daemon/src/http/failure.ts';
import { createBallast } from '../../../packages/daemon/src/reconcilers/ballast.ts';
import { watchDisk } from '../../../packages/daemon/src/reconcilers/disk.ts';

const run = promisify(execFile);
const MIB = 1024 * 1024;

describe('a full disk', { skip: process.getuid?.() !== 0 && 'mounting a small disk needs root' }, () => {
  let dataDir: string;
  let store: Store;

  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'davit-small-disk-'));
    await run('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', dataDir]);
    store = new Store(join(dataDir, 'davit.db'));
  });
  after(async () => {
    store?.[Symbol.dispose]();
    await run('umount', [dataDir]);
    await rmdir(dataDir);
  });

  test('returns 503 for writes, keeps data readable and accepts writes after the ballast is released', async () => {
    const log = createLogger({ level: 'error' });
    const facts = { dataDir } as Parameters<typeof watchDisk>[0]['facts'];
    const base = { engine: createMemoryEngine(), settings: () => instanceSettings(store), facts };
    const watch = watchDisk(base, { log, onFilling: () => undefined, ballast: createBallast(dataDir, MIB) });
    const look = () => watch.task.run(new AbortController().signal);
    const save = (value: string) => store.tx((tx) => writeSetting(tx, 'probe', value));
    await look();
    assert.equal(watch.guard(), null);
    save('before');

    await fill(join(dataDir, 'something-else'));
    assert.throws(
      () => save('x'.repeat(64 * 1024)),
      (error) => {
        assert.deepEqual([publicError(error).status, /disk .*full/.test(publicError(error).message)], [503, true]);
        return true;
      },
    );
    assert.equal(readSetting(store, 'probe'), 'before', 'what was there can still be read');
    await look();
    assert.match(watch.guard() ?? '', /100 % full/);
    save('after');

    assert.equal(readSetting(store, 'probe'), 'after');
    await rm(join(dataDir, 'something-else'));
    await look();
    assert.equal(watch.guard(), null);
    assert.deepEqual(store.get(unchecked('PRAGMA quick_check')), { quick_check: 'ok' });
  });
});

/** Uses all free space of the disk. */
async function fill(path: string): Promise<void> {
  await using file = await open(path, 'w');
  for (const size of [MIB, 4096, 1]) {
    const piece = Buffer.alloc(size);
    for (;;) {
      try {
        await file.write(piece);
      } catch (error) {
        assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC');
        break;
      }
    }
  }
}
