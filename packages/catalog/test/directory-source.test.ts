import assert from 'node:assert/strict';
import { chmod, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createLogger } from '@davit/service';
import { DirectorySource } from '../src/source/directory/directory-source.ts';
import { type SourceRepository, SourceUnavailable } from '../src/source/source.ts';
import { GitFolder, git } from './support/git-folder.ts';

const { signal } = new AbortController();
const AT = Date.parse('2026-03-04T05:06:07Z') / 1000;
const MAX = 1024;

describe('DirectorySource', () => {
  let folder: GitFolder;
  let source: DirectorySource;
  let lines: { msg: string }[];

  before(async () => {
    lines = [];
    folder = await GitFolder.make();
    const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
    source = new DirectorySource({ path: folder.path, log: createLogger({ level: 'info', destination }) });
  });

  after(async () => {
    source[Symbol.dispose]();
    await folder[Symbol.asyncDispose]();
  });

  const all = async (): Promise<SourceRepository[]> => (await Array.fromAsync(source.repositories(signal))).flat();
  const only = async (name: string) => (await all()).find((one) => `${one.owner}/${one.name}` === name);
  const lookUp = async (name: string) => {
    const [owner = '', rest = ''] = name.split('/');
    const known = { id: (await only(name))?.id ?? 1, nodeId: null, owner, name: rest };
    return Array.fromAsync(source.lookUp([known], signal));
  };

  it('fills in defaults for a repository without a description file', async () => {
    await folder.release('acme/plain', { tag: 'v1', at: AT, files: { 'README.md': 'hello' } });
    const found = await only('acme/plain');
    assert.ok(found);
    assert.ok(Number.isSafeInteger(found.id) && found.id > 0);
    assert.deepEqual(
      { ...found, id: 0, releases: [] },
      {
        id: 0,
        nodeId: null,
        owner: 'acme',
        ownerId: null,
        name: 'plain',
        description: '',
        url: 'https://github.com/acme/plain',
        avatarUrl: 'https://github.com/acme.png',
        stars: 0,
        topics: [],
        private: false,
        releases: [],
      },
    );
    assert.equal((await only('acme/plain'))?.id, found.id, 'the same at every pass');
  });

  it('uses the values of the description file and ignores null', async () => {
    const said = { id: 77, stars: 5, topics: ['b', 'a', 'b'], description: 'A thing', url: 'https://example.com/x' };
    await folder.release('acme/told', { tag: 'v1', at: AT, files: {} });
    await folder.describe('acme/told', { ...said, avatar_url: null, private: true, more: 1 });
    const found = await only('acme/told');
    assert.deepEqual(
      [found?.id, found?.stars, found?.topics, found?.description, found?.url, found?.avatarUrl, found?.private],
      [77, 5, ['a', 'b'], 'A thing', 'https://example.com/x', 'https://github.com/acme.png', true],
    );
  });

  it('lists tags that point to commits, newest first, with date and subject', async () => {
    const files = { 'README.md': 'x' };
    await folder.release(
      'acme/tags',
      { tag: 'light', at: AT, files },
      { tag: 'v2', at: AT + 60, files, message: 'The second\none\n\nWith a body.' },
      { tag: 'rel/3', at: AT + 30, files, message: '' },
    );
    const dir = `--git-dir=${folder.gitDir('acme/tags')}`;
    const commit = await git([dir, 'rev-parse', 'v2^{commit}']);
    const who = ['-c', 'advice.nestedTag=false', '-c', 'user.name=a', '-c', 'user.email=a@example.com'];
    await git([dir, ...who, 'tag', '-m', 'of a tag', 'nested', 'v2']);
    await git([dir, 'tag', 'of-a-tree', 'v2^{tree}']);
    await git([dir, ...who, 'tag', '-m', 'of a tree', 'of-a-tree-too', 'v2^{tree}']);
    const [nested, ...rest] = (await only('acme/tags'))?.releases ?? [];
    assert.deepEqual([nested?.tag, nested?.name, nested?.commit], ['nested', 'of a tag', commit]);
    assert.deepEqual(
      rest.map(({ tag, name, publishedAt, url }) => [tag, name, publishedAt, url.split('/tag/')[1]]),
      [
        ['v2', 'The second one', '2026-03-04T05:07:07Z', 'v2'],
        ['rel/3', 'rel/3', '2026-03-04T05:06:37Z', 'rel/3'],
        ['light', 'light', '2026-03-04T05:06:07Z', 'light'],
      ],
    );
  });

  it('reads a file at its commit and reports missing or too large files', async () => {
    const files = { 'README.md': 'bytes \0 \xff', 'icon.png/inside': 'x', 'template.yaml': 'x'.repeat(MAX + 1) };
    await folder.release('acme/files', { tag: 'v1', at: AT, files });
    const repository = await only('acme/files');
    const [release] = repository?.releases ?? [];
    assert.ok(repository && release);
    const read = (path: 'README.md' | 'icon.png' | 'template.yaml' | 'template.yml') =>
      source.readFile(repository, release.commit, path, MAX, signal);
    const answers = await Promise.all([
      read('README.md'),
      read('icon.png'),
      read('template.yaml'),
      read('template.yml'),
      read('README.md'),
    ]);
    assert.deepEqual(
      answers.map((answer) => (answer.kind === 'found' ? Buffer.from(answer.bytes).toString() : answer.kind)),
      ['bytes \0 \xff', 'missing', 'too-large', 'missing', 'bytes \0 \xff'],
    );
  });

  it('reports a damaged file or commit as unavailable, not as missing', async () => {
    await folder.release('acme/hurt', { tag: 'v1', at: AT, files: { 'README.md': 'x'.repeat(500) } });
    const repository = await only('acme/hurt');
    const commit = repository?.releases[0]?.commit ?? '';
    const gitDir = folder.gitDir('acme/hurt');
    const objects = join(gitDir, 'objects', 'pack');
    const packs = (await readdir(objects)).filter((name) => name.endsWith('.pack'));
    for (const pack of packs) {
      await rename(join(objects, pack), join(gitDir, pack));
      await git([`--git-dir=${gitDir}`, 'unpack-objects', '-q'], await readFile(join(gitDir, pack)));
    }
    const blob = await git([`--git-dir=${gitDir}`, 'rev-parse', `${commit}:README.md`]);
    await rm(join(gitDir, 'objects', blob.slice(0, 2), blob.slice(2)));
    assert.ok(repository);
    await assert.rejects(source.readFile(repository, commit, 'README.md', MAX, signal), SourceUnavailable);
    const missing = await source.readFile(repository, commit, 'icon.png', MAX, signal);
    assert.equal(missing.kind, 'missing', 'what the commit does not list is missing all the same');
    await assert.rejects(source.readFile(repository, 'a'.repeat(40), 'README.md', MAX, signal), SourceUnavailable);
    await rm(join(gitDir, 'objects'), { recursive: true });
    assert.equal(await only('acme/hurt'), undefined, 'not listed');
    assert.deepEqual(await lookUp('acme/hurt'), [], 'and not known to be gone');
    assert.ok((await all()).length > 0, 'the others are listed');
  });

  it('reads a description file with a byte order mark', async () => {
    await folder.release('acme/marked', { tag: 'v1', at: AT, files: {} });
    await folder.describe('acme/marked', '\u{feff}{"stars": 3}\r\n');
    assert.equal((await only('acme/marked'))?.stars, 3);
  });

  it('does not list or look up a repository with an invalid description', async () => {
    await folder.release('acme/bad', { tag: 'v1', at: AT, files: {} });
    const bad = ['{', '[]', '"x"', { id: 0 }, { id: 1.5 }, { id: 2 ** 53 }, { id: '1' }, { stars: -1 }];
    const more = [{ topics: 'a' }, { topics: [''] }, { description: 1 }, { url: 'ftp://x' }, { private: 'yes' }];
    for (const description of [
      ...bad,
      ...more,
      { description: 'x\0' },
      { avatar_url: 'javascript:1' },
      ' '.repeat(70_000),
    ]) {
      await folder.describe('acme/bad', description);
      assert.equal(await only('acme/bad'), undefined, JSON.stringify(description).slice(0, 40));
      assert.deepEqual(await lookUp('acme/bad'), []);
    }
  });

  it('reports an absent repository or a repository with another ID as gone', async () => {
    await folder.release('acme/here', { tag: 'v1', at: AT, files: {} });
    const known = [
      { id: 9, nodeId: null, owner: 'acme', name: 'absent' },
      { id: 10, nodeId: null, owner: 'acme', name: 'here' },
      { id: 11, nodeId: null, owner: '..', name: 'here' },
    ];
    const answers = await Array.fromAsync(source.lookUp(known, signal));
    assert.deepEqual(
      answers,
      known.map(({ id }) => ({ id, repository: null })),
    );
  });

  it('ignores symbolic links and repositories with invalid names', async () => {
    await using other = await GitFolder.make();
    await other.release('secret/private', { tag: 'v1', at: AT, files: {} });
    await symlink(join(other.path, 'secret'), join(folder.path, 'secret'));
    await symlink(other.gitDir('secret/private'), folder.gitDir('acme/linked'));
    await mkdir(join(folder.path, '-owner', 'x.git'), { recursive: true });
    await mkdir(join(folder.path, 'acme', 'odd name.git'), { recursive: true });
    await folder.release('acme/link-beside', { tag: 'v1', at: AT, files: {} });
    await writeFile(join(other.path, 'x.json'), '{}');
    await symlink(join(other.path, 'x.json'), join(folder.path, 'acme', 'link-beside.json'));
    const names = (await all()).map(({ owner, name }) => `${owner}/${name}`);
    assert.ok(!names.some((name) => /secret|linked|odd|-owner|link-beside/.test(name)), names.join(' '));
    assert.ok(lines.some(({ msg }) => msg.startsWith('symbolic link is ignored')));
  });

  it('lists only the first of two repositories with the same ID', async () => {
    for (const name of ['acme/one-id', 'acme/same-id']) {
      await folder.release(name, { tag: 'v1', at: AT, files: {} });
      await folder.describe(name, { id: 4242 });
    }
    const claimed = (await all()).filter(({ id }) => id === 4242);
    assert.deepEqual(
      claimed.map(({ name }) => name),
      ['one-id'],
    );
  });

  it('does not fetch objects, regardless of the repository configuration', async () => {
    await folder.release('acme/promises', { tag: 'v1', at: AT, files: {} });
    const mark = join(folder.path, 'fetched');
    const command = join(folder.path, 'fetch.sh');
    await writeFile(command, `#!/bin/sh\ntouch ${mark}\n`);
    await chmod(command, 0o755);
    const gitDir = `--git-dir=${folder.gitDir('acme/promises')}`;
    const settings = { 'extensions.partialClone': 'origin', 'remote.origin.promisor': 'true' };
    const lures = { 'remote.origin.url': `ext::${command}`, 'protocol.allow': 'always', 'core.sshCommand': command };
    for (const [key, value] of Object.entries({ ...settings, ...lures })) await git([gitDir, 'config', key, value]);
    const repository = await only('acme/promises');
    assert.ok(repository);
    await assert.rejects(source.readFile(repository, 'b'.repeat(40), 'README.md', MAX, signal), SourceUnavailable);
    assert.ok(!(await readdir(folder.path)).includes('fetched'));
  });

  it('fails for a missing folder and lists nothing for an empty folder', async () => {
    const log = createLogger({ level: 'error' });
    using absent = new DirectorySource({ path: join(folder.path, 'absent'), log });
    await assert.rejects(Array.fromAsync(absent.repositories(signal)), SourceUnavailable);
    await using empty = await GitFolder.make();
    using nothing = new DirectorySource({ path: empty.path, log });
    assert.deepEqual(await Array.fromAsync(nothing.repositories(signal)), []);
  });
});
