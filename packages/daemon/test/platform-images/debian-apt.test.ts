/** Tests of the package manager with a repository in a folder. The tests do not change the server. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { PackageRepository } from '../../../../test/support/package-repository.ts';
import { Apt } from '../../src/adapters/engine/docker/made/debian-apt.ts';
import { listedFiles } from '../../src/adapters/engine/docker/made/debian-packages.ts';
import type { PlatformImageFailed } from '../../src/adapters/engine/platform-images.ts';

const NO_APT = existsSync('/usr/bin/apt-get') ? false : 'this machine has no apt';

test('the package listing parser returns files and links but no folders', () => {
  const listing = [
    'drwxr-xr-x root/root         0 2024-01-01 00:00 ./usr/sbin/',
    '-rwxr-xr-x root/root   2637024 2024-01-01 00:00 ./usr/sbin/haproxy',
    '-rw-r--r-- root/root        10 2024-01-01 00:00 ./usr/share/a file',
    'lrwxrwxrwx root/root         0 2024-01-01 00:00 ./usr/lib/libx.so.1 -> libx.so.1.2',
    'hrwxr-xr-x root/root         0 2024-01-01 00:00 ./usr/bin/b link to ./usr/bin/a',
  ].join('\n');

  assert.deepEqual(listedFiles(listing), [
    '/usr/sbin/haproxy',
    '/usr/share/a file',
    '/usr/lib/libx.so.1',
    '/usr/bin/b',
  ]);
});

describe('the package manager with its own state', { skip: NO_APT }, () => {
  let folder: string;
  let repository: PackageRepository;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'davit-apt-'));
    repository = await PackageRepository.create();
    await repository.add('davit-example', '1:1.0~rc1', { '/usr/share/davit-example': 'one' });
  });
  after(async () => {
    await rm(folder, { recursive: true, force: true });
    await repository?.[Symbol.asyncDispose]();
  });

  const apt = () => new Apt({ folder: join(folder, 'state'), sources: repository.sources });

  test('finds a newly published version only after a refresh', async () => {
    await apt().refresh();
    const before = await apt().candidates(['davit-example', 'davit-missing']);
    const newer = await repository.publishNewer('davit-example');
    const stale = await apt().candidates(['davit-example']);
    await apt().refresh();
    const after = await apt().candidates(['davit-example']);

    assert.deepEqual([...before], [['davit-example', '1:1.0~rc1']]);
    assert.deepEqual([...stale], [...before]);
    assert.deepEqual([...after], [['davit-example', newer]]);
    assert.equal(await apt().isNewer(newer, '1:1.0~rc1'), true);
    assert.equal(await apt().isNewer('1:1.0~rc1', newer), false);
    // Versions are not compared as text.
    assert.equal(await apt().isNewer('1.10', '1.9'), true);
  });

  test('downloads the newest version without a change to the host’s package manager', async () => {
    const host = await stateOfHost();
    const to = await mkdtemp(join(folder, 'download-'));

    await apt().refresh();
    await apt().download(['davit-example'], to);

    assert.match((await readdir(to)).join(), /^davit-example_1%3a1\.0~rc1(\+test1)*_all\.deb$/);
    assert.deepEqual(await stateOfHost(), host);
  });

  test('refuses an unsigned repository and keeps the existing package lists', async () => {
    await apt().refresh();
    const before = await apt().candidates(['davit-example']);
    await repository.trust(false);
    await repository.publishNewer('davit-example');

    const refused = apt().refresh();

    await assert.rejects(refused, (error: PlatformImageFailed) => error.code === 'repository_unavailable');
    await repository.trust(true);
    assert.deepEqual([...(await apt().candidates(['davit-example']))], [...before]);
  });

  test('supports two concurrent refreshes after its package lists were deleted', async () => {
    await rm(join(folder, 'state/lists'), { recursive: true });

    await Promise.all([apt().refresh(), apt().refresh()]);

    assert.equal((await apt().candidates(['davit-example'])).size, 1);
  });
});

/** Returns the times of the last changes to the package manager's own folders. */
async function stateOfHost(): Promise<Record<string, number>> {
  const folders = ['/etc/apt', '/etc/apt/sources.list.d', '/var/lib/apt', '/var/lib/apt/lists', '/var/cache/apt'];
  const times = await Promise.all(
    folders.map(
      async (path) =>
        [
          path,
          await stat(path).then(
            ({ mtimeMs }) => mtimeMs,
            () => 0,
          ),
        ] as const,
    ),
  );
  return Object.fromEntries(times);
}
