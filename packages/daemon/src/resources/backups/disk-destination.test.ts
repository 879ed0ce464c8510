import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { DestinationMissing, DestinationRefused } from './destination.ts';
import { DiskDestination, type DiskDestinationOptions } from './disk-destination.ts';

const never = new AbortController().signal;
const KEY = 'shop/production/main/1.davitbackup';

async function folder(options: Partial<DiskDestinationOptions> = {}) {
  const root = await mkdtemp(join(tmpdir(), 'davit-backups-'));
  return {
    root,
    disk: new DiskDestination(root, { guard: () => null, ...options }),
    [Symbol.asyncDispose]: () => rm(root, { recursive: true }),
  };
}

async function* bytes(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

async function read(disk: DiskDestination, key: string): Promise<string> {
  return Buffer.concat(await Array.fromAsync(await disk.get(key, never), (piece) => Buffer.from(piece))).toString();
}

describe('DiskDestination', () => {
  it('stores, reads, lists and deletes a private backup file', async () => {
    await using at = await folder();

    assert.equal(await at.disk.put(KEY, bytes('one', 'two'), never), 6);

    assert.equal(await read(at.disk, KEY), 'onetwo');
    assert.equal((await stat(join(at.root, KEY))).mode & 0o777, 0o600);
    assert.deepEqual(await Array.fromAsync(at.disk.list('shop/')), [{ key: KEY, sizeBytes: 6 }]);
    assert.deepEqual(await Array.fromAsync(at.disk.list('blog/')), []);
    await at.disk.delete(KEY);
    await at.disk.delete(KEY);
    await assert.rejects(at.disk.get(KEY, never), DestinationMissing);
  });

  it('keeps the previous file if a write fails', async () => {
    await using at = await folder();
    await at.disk.put(KEY, bytes('whole'), never);
    async function* breaking(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('half');
      throw new Error('broke off');
    }

    await assert.rejects(at.disk.put(KEY, breaking(), never), { message: 'broke off' });

    assert.equal(await read(at.disk, KEY), 'whole');
    assert.deepEqual(await readdir(join(at.root, 'shop/production/main')), ['1.davitbackup']);
  });

  it('stops writing if the signal aborts', async () => {
    await using at = await folder();
    const stop = new AbortController();
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (let n = 0; ; n += 1) {
        if (n === 3) stop.abort(new Error('cancelled'));
        yield Buffer.from('more');
      }
    }

    await assert.rejects(at.disk.put(KEY, endless(), stop.signal), { message: 'cancelled' });

    assert.deepEqual(await Array.fromAsync(at.disk.list('')), []);
  });

  it('refuses a backup if the disk is full or fills up', async () => {
    await using guarded = await folder({ guard: () => 'The disk is full.' });
    const full = async (path: string) => ({ path, totalBytes: 1e12, freeBytes: 1e8 });
    await using filling = await folder({ use: full });

    await assert.rejects(guarded.disk.put(KEY, bytes('x'), never), DestinationRefused);
    await assert.rejects(filling.disk.put(KEY, bytes('x'), never), { message: /not have enough free space/ });

    assert.deepEqual(await Array.fromAsync(filling.disk.list('')), []);
  });

  it('reports the system’s error code if the disk cannot be read or written', async () => {
    await using at = await folder();
    const file = join(at.root, 'file');
    await writeFile(file, 'no folder');
    const none = new DiskDestination(join(file, 'backups'), { guard: () => null });
    // The system returns this error for a bad sector.
    const broken = new DiskDestination('/proc', { guard: () => null });

    await assert.rejects(none.put(KEY, bytes('x'), never), {
      name: 'DestinationRefused',
      message: /\(ENOTDIR\)\. Check/,
    });
    const read = async () => Array.fromAsync(await broken.get('self/mem', never));
    await assert.rejects(read, { name: 'DestinationRefused', message: /\(EIO\)\. Check/ });
  });

  it('deletes partial files of an interrupted backup', async () => {
    await using at = await folder();
    await at.disk.put(KEY, bytes('whole'), never);
    await writeFile(join(at.root, `${KEY}.partial`), 'half');

    await at.disk.sweep();

    assert.deepEqual(await readdir(join(at.root, 'shop/production/main')), ['1.davitbackup']);
  });

  it('refuses a key outside the folder', async () => {
    await using at = await folder();

    for (const key of ['../x', 'a/../../x', '/etc/x', '', 'a//b', 'a/./b'])
      await assert.rejects(at.disk.put(key, bytes('x'), never), /not a valid name for a backup file/, key);
  });
});
