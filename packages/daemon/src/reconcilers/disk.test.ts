import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { createLogger } from '@davit/service';
import { CoreHarness } from '../../test/support/core-harness.ts';
import { patchSettings } from '../resources/instance/settings.ts';
import { createBallast } from './ballast.ts';
import { type DiskWatch, watchDisk } from './disk.ts';

const GIB = 1024 ** 3;

/** Creates a disk watch with a simulated engine disk of 100 GiB and a data directory disk of 10 GiB. */
function watched({ engineFree = 60 * GIB, ownFree = 8 * GIB } = {}) {
  const harness = new CoreHarness();
  const lines: string[] = [];
  const log = createLogger({ level: 'info', destination: { write: (line: string) => void lines.push(line) } });
  const free = { own: ownFree };
  let fillings = 0;
  harness.engine.controls.setDisk({ freeBytes: engineFree });
  const watch = watchDisk(harness.core, {
    log,
    onFilling: () => {
      fillings += 1;
    },
    use: async (path) => ({ path, totalBytes: 10 * GIB, freeBytes: free.own }),
    ballast: null,
  });
  return {
    world: harness,
    watch,
    free,
    lines,
    fillings: () => fillings,
    [Symbol.dispose]: () => harness[Symbol.dispose](),
  };
}

const look = (watch: DiskWatch) => watch.task.run(new AbortController().signal);

test('the disk watch reports a disk with free space as ok and refuses nothing', async () => {
  using disk = watched();
  assert.deepEqual([disk.watch.guard(), disk.watch.fullest(), disk.watch.warnings()], [null, null, []]);

  await look(disk.watch);

  assert.deepEqual(disk.watch.fullest(), {
    path: '/simulated',
    total_bytes: 100 * GIB,
    free_bytes: 60 * GIB,
    state: 'ok',
  });
  assert.deepEqual([disk.watch.guard(), disk.watch.warnings()], [null, []]);
});

test('the disk watch warns about a filling disk and logs the warning only once', async () => {
  using disk = watched({ engineFree: 15 * GIB });

  for (let n = 0; n < 3; n++) await look(disk.watch);

  assert.equal(disk.watch.fullest()?.state, 'warning');
  assert.equal(disk.watch.guard(), null);
  assert.match(disk.watch.warnings()[0] ?? '', /^The disk of \/simulated is 85 % full \(15 GiB free\), /);
  assert.equal(disk.lines.length, 1);
  assert.equal(disk.fillings(), 1);
});

test('the disk watch refuses work on a full disk and recovers with free space', async () => {
  using disk = watched({ ownFree: 0.4 * GIB });

  await look(disk.watch);
  assert.match(
    disk.watch.guard() ?? '',
    /^The disk of \/nowhere is 96 % full \(less than 1 GiB free\), so Davit refuses .+\. Free some space/,
  );
  assert.deepEqual(disk.watch.warnings(), [disk.watch.guard()]);
  disk.free.own = 5 * GIB;
  await look(disk.watch);

  assert.deepEqual([disk.watch.guard(), disk.watch.fullest()?.state], [null, 'ok']);
  assert.match(disk.lines.at(-1) ?? '', /the disk has enough free space again/);
});

test('the disk watch applies changed limits without another disk check', async () => {
  using disk = watched();
  await look(disk.watch);

  patchSettings(disk.world.core, disk.world.admin, { disk: { warn_percent: 20, refuse_percent: 40 } });

  assert.equal(disk.watch.fullest()?.state, 'refusing');
  assert.notEqual(disk.watch.guard(), null);
});

test('the disk watch still checks the data directory if the engine is unavailable', async () => {
  using disk = watched({ ownFree: 0 });
  disk.world.engine.controls.setAvailable(false);

  await look(disk.watch);

  assert.equal(disk.watch.fullest()?.path, '/nowhere');
  assert.match(disk.watch.guard() ?? '', /100 % full/);
});

describe('the disk reserve file', () => {
  const BYTES = 1024 * 1024;
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'davit-ballast-'));
  });
  after(() => rm(folder, { recursive: true }));

  test('is created with real disk blocks only if enough space is free', async () => {
    const ballast = createBallast(folder, BYTES);

    assert.equal(await ballast.balance(15 * BYTES), 'left');
    assert.equal(await ballast.balance(16 * BYTES), 'made');
    assert.equal(await ballast.balance(16 * BYTES), 'left');

    const { size, blocks } = await stat(join(folder, 'ballast'));
    assert.deepEqual([size, blocks * 512 >= BYTES], [BYTES, true]);
  });

  test('is deleted on a full disk and created again with enough free space', async () => {
    const ballast = createBallast(folder, BYTES);
    await ballast.balance(16 * BYTES);

    assert.equal(await ballast.balance(BYTES / 2 - 1), 'given up');
    assert.deepEqual(await readdir(folder), []);
    assert.equal(await ballast.balance(0), 'left');
    assert.equal(await ballast.balance(5 * BYTES), 'left');
    assert.equal(await ballast.balance(20 * BYTES), 'made');
  });
});
