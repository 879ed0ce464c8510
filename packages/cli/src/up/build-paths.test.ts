import assert from 'node:assert/strict';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { NO_BUILD } from './build.ts';
import { buildPathsOf } from './build-paths.ts';

let home: string;
/** Root of a repository with `deploy/davit.yaml`, in a home folder with a key. */
let root: string;
let folder: string;
beforeEach(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), 'davit-paths-')));
  root = join(home, 'repository');
  folder = join(root, 'deploy');
  for (const path of [folder, join(root, 'web'), join(root, '.git'), join(home, '.ssh')])
    await mkdir(path, { recursive: true });
  for (const path of ['Dockerfile', 'web/Dockerfile', 'deploy/Dockerfile', '../Dockerfile', '../.ssh/id'])
    await writeFile(join(root, path), 'FROM scratch\n');
});
afterEach(() => rm(home, { recursive: true, force: true }));

const paths = (build: { context?: string; dockerfile?: string }, allowOutsidePaths = false) =>
  buildPathsOf({ folder, build: { ...NO_BUILD, ...build }, allowOutsidePaths });

describe('build paths', () => {
  it('are resolved within the repository, including symbolic links', async () => {
    await symlink(join(root, 'web'), join(folder, 'linked'));

    assert.deepEqual(await paths({}), { context: folder, dockerfile: join(folder, 'Dockerfile') });
    assert.deepEqual(await paths({ context: '..', dockerfile: 'web/Dockerfile' }), {
      context: root,
      dockerfile: join(root, 'web/Dockerfile'),
    });
    assert.deepEqual(await paths({ context: 'linked' }), {
      context: join(root, 'web'),
      dockerfile: join(root, 'web/Dockerfile'),
    });
  });

  it('are null without a context or without a Dockerfile', async () => {
    assert.equal(await paths({ context: 'missing' }), null);
    assert.equal(await paths({ dockerfile: 'missing' }), null);
  });

  it('are refused outside the repository unless the user allows outside paths', async () => {
    await symlink(home, join(folder, 'home'));
    await symlink(join(home, '.ssh/id'), join(folder, 'key'));
    for (const build of [
      { context: '../..' },
      { context: home },
      { context: 'home' },
      { context: 'home/.ssh', dockerfile: 'id' },
      { context: '../../repository/..' },
      { context: '/', dockerfile: join(root, 'Dockerfile').slice(1) },
      { dockerfile: '../Dockerfile' },
      { dockerfile: 'key' },
      { dockerfile: join(home, 'Dockerfile') },
      { context: '../..', dockerfile: `/proc/self/cwd/${home}/Dockerfile` },
    ]) {
      await assert.rejects(paths(build), { exit: 'usage' }, JSON.stringify(build));
    }
    assert.deepEqual(await paths({ context: '../..' }, true), { context: home, dockerfile: join(home, 'Dockerfile') });
  });

  it('are limited to the folder of davit.yaml without a repository', async () => {
    await rm(join(root, '.git'), { recursive: true });

    assert.equal((await paths({}))?.context, folder);
    await assert.rejects(paths({ context: '..' }), { exit: 'usage' });
  });

  it('are compared by folder and not by the beginning of names', async () => {
    await mkdir(join(folder, '..x'));
    await writeFile(join(folder, '..x/Dockerfile'), '');

    assert.equal((await paths({ context: '..x' }))?.context, join(folder, '..x'));
    await mkdir(join(home, 'repository-2'));
    await writeFile(join(home, 'repository-2/Dockerfile'), '');
    await assert.rejects(paths({ context: '../../repository-2' }), { exit: 'usage' });
  });
});
