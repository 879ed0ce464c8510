/** Files of a release are read at its commit, and are missing only where GitHub is certain of it. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { WorldEntry } from '@davit/testkit/github';
import { type FileAnswer, type KnownRepository, type SourcePath, SourceUnavailable } from '../src/source/source.ts';
import { startSource, type TestSource } from './support/github-source.ts';

const ICON = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0xff, 0xfe, 0xc3, 0x28]);
const MAX_BYTES = 1_000;

interface Published {
  repository: KnownRepository;
  commit: string;
}

function publish({ github }: TestSource, files: Record<string, WorldEntry>): Published {
  const { id, nodeId, owner, name } = github.world.add({ owner: 'acme', name: 'wiki' });
  const { commit } = github.world.release(id, { files });
  return { repository: { id, nodeId, owner: owner.login, name }, commit: commit ?? '' };
}

function read(test: TestSource, { repository, commit }: Published, path: SourcePath): Promise<FileAnswer> {
  return test.source.readFile(repository, commit, path, MAX_BYTES, test.signal);
}

const found = (bytes: string | Uint8Array) => ({ kind: 'found', bytes: Uint8Array.from(Buffer.from(bytes)) });

describe('a file', () => {
  it('is read byte for byte, a picture too', async () => {
    await using test = await startSource();
    const release = publish(test, { 'icon.png': ICON, 'README.md': '\ufeffä\r\n' });

    assert.deepEqual(await read(test, release, 'icon.png'), found(ICON));
    assert.deepEqual(await read(test, release, 'README.md'), found('\ufeffä\r\n'));
    const [first] = test.github.requests;
    assert.equal(first?.path, `/repos/acme/wiki/contents/icon.png?ref=${release.commit}`);
    assert.equal(first?.authorization, `token ${test.github.token}`);
  });

  it('may be empty, and as large as is asked for', async () => {
    await using test = await startSource();
    const release = publish(test, { 'README.md': '', 'template.yaml': 'a'.repeat(MAX_BYTES) });

    assert.deepEqual(await read(test, release, 'README.md'), found(''));
    assert.deepEqual(await read(test, release, 'template.yaml'), found('a'.repeat(MAX_BYTES)));
  });

  it('is too large with one byte more, and is not read to its end', async () => {
    await using test = await startSource();
    const release = publish(test, { 'template.yaml': 'a'.repeat(MAX_BYTES + 1), 'README.md': Buffer.alloc(5_000_000) });

    assert.deepEqual(await read(test, release, 'template.yaml'), { kind: 'too-large' });
    assert.deepEqual(await read(test, release, 'README.md'), { kind: 'too-large' });
    assert.equal(test.github.requests.length, 2);
  });

  it('is not sent again while it is remembered', async () => {
    await using test = await startSource();
    const release = publish(test, { 'icon.png': ICON });
    await read(test, release, 'icon.png');

    assert.deepEqual(await read(test, release, 'icon.png'), found(ICON));
    assert.deepEqual(
      test.github.requests.map(({ status }) => status),
      [200, 304],
    );
  });

  it('of a tag that was moved is that of the commit that is asked for', async () => {
    await using test = await startSource();
    const before = publish(test, { 'template.yaml': 'before' });
    const tag = test.github.world.get(before.repository.id).releases[0]?.tag ?? '';
    const after = {
      ...before,
      commit: test.github.world.moveTag(before.repository.id, tag, { 'template.yaml': 'after' }),
    };

    assert.deepEqual(await read(test, before, 'template.yaml'), found('before'));
    assert.deepEqual(await read(test, after, 'template.yaml'), found('after'));
  });

  it('of a repository with an odd name stays within it', async () => {
    await using test = await startSource();
    const release = publish(test, {});
    for (const name of ['..', '../x', 'a/b', 'a?b', 'a#b', '%2e%2e', 'ä', '']) {
      const odd = { ...release, repository: { ...release.repository, name } };
      await read(test, odd, 'template.yaml').catch((error: unknown) => assert.ok(error instanceof SourceUnavailable));
    }
    for (const { path, operation } of test.github.requests) {
      if (operation === null) assert.match(path, /^\/repos\/acme\/[^/]*\/contents\/template\.yaml\?ref=[0-9a-f]{40}$/);
    }
  });

  it('of more than GitHub serves at all is too large', async () => {
    await using test = await startSource();
    const release = publish(test, { 'icon.png': ICON });
    const document = { message: 'This API returns blobs up to 100 MB in size.', errors: [{ code: 'too_large' }] };
    const body = JSON.stringify(document);
    const fetch = () =>
      Promise.resolve(new Response(body, { status: 403, headers: { 'content-type': 'application/json' } }));
    await using other = await startSource({ fetch });

    assert.deepEqual(await read(other, release, 'icon.png'), { kind: 'too-large' });
  });
});

describe('a file is missing', () => {
  it('where the commit holds none of that name, which is asked once for all of them', async () => {
    await using test = await startSource();
    const release = publish(test, { 'README.md': 'x' });

    assert.deepEqual(await read(test, release, 'template.yaml'), { kind: 'missing' });
    assert.deepEqual(await read(test, release, 'template.yml'), { kind: 'missing' });
    assert.deepEqual(await read(test, release, 'icon.png'), { kind: 'missing' });
    assert.deepEqual(await read(test, release, 'README.md'), found('x'));
    assert.deepEqual(test.operations(), [null, 'Entries', null]);
  });

  it('which is asked once, too, where all of them are read at once', async () => {
    await using test = await startSource();
    const release = publish(test, { 'README.md': 'x' });
    const paths = ['template.yaml', 'README.md', 'icon.png'] as const;

    const answers = await Promise.all(paths.map((path) => read(test, release, path)));
    assert.deepEqual(answers, [{ kind: 'missing' }, found('x'), { kind: 'missing' }]);
    assert.equal(test.operations().filter((operation) => operation === 'Entries').length, 1);
  });

  it('where a folder or a submodule has its name', async () => {
    await using test = await startSource();
    const release = publish(test, { 'template.yaml': { kind: 'folder' }, 'icon.png': { kind: 'submodule' } });

    assert.deepEqual(await read(test, release, 'template.yaml'), { kind: 'missing' });
    assert.deepEqual(await read(test, release, 'icon.png'), { kind: 'missing' });
  });
});

describe('a file is not missing', () => {
  const changes: [string, (test: TestSource, id: number) => void][] = [
    ['because its repository was deleted', ({ github }, id) => github.world.remove(id)],
    [
      'because its repository is private now',
      ({ github }, id) => Object.assign(github.world.get(id), { private: true }),
    ],
    ['because its commit is gone', ({ github }, id) => github.world.get(id).files.clear()],
    ['because GitHub says so once', ({ github }) => github.misbehave({ kind: 'status', status: 404 })],
    [
      'because another repository has the name',
      ({ github }, id) => {
        github.world.move(id, { name: 'other' });
        github.world.add({ owner: 'acme', name: 'wiki' });
      },
    ],
    [
      'because GitHub limits with the wrong status',
      ({ github }) => {
        github.misbehave({ kind: 'status', status: 404 });
        github.misbehave({ kind: 'rate-limit', resetInS: 3_000 }, { target: 'graphql' });
      },
    ],
  ];
  for (const [name, change] of changes) {
    it(name, async () => {
      await using test = await startSource();
      const release = publish(test, { 'template.yaml': 'x' });
      change(test, release.repository.id);

      await assert.rejects(read(test, release, 'template.yaml'), SourceUnavailable);
    });
  }

  it('because its repository was renamed: that is followed', async () => {
    await using test = await startSource();
    const release = publish(test, { 'template.yaml': 'x' });
    test.github.world.move(release.repository.id, { owner: 'globex', name: 'notes' });

    assert.deepEqual(await read(test, release, 'template.yaml'), found('x'));
    assert.deepEqual(
      test.github.requests.map(({ status }) => status),
      [301, 200],
    );
  });
});

describe('a redirect', () => {
  const elsewhere = [
    'https://evil.example/x',
    'http://169.254.169.254/latest/meta-data',
    'http://127.0.0.1:1/x',
    'http://[::ffff:127.0.0.1]/x',
    'http://2130706433/x',
    '//evil.example/x',
    'file:///etc/passwd',
    'http://token@127.0.0.1/x',
    'data:text/plain,x',
    'http://',
  ];
  for (const to of elsewhere) {
    it(`to ${to} is not followed`, async () => {
      const asked: string[] = [];
      const fetch: typeof globalThis.fetch = (url, init) => {
        asked.push(new URL(String(url)).origin);
        return globalThis.fetch(url, init);
      };
      await using test = await startSource({ fetch });
      const release = publish(test, { 'template.yaml': 'x' });
      test.github.misbehave({ kind: 'redirect', to });

      await assert.rejects(read(test, release, 'template.yaml'), /redirected|is not followed/);
      assert.deepEqual(asked, [test.github.origin]);
    });
  }

  it('to another repository by its number is not followed', async () => {
    await using test = await startSource();
    const release = publish(test, { 'template.yaml': 'x' });
    test.github.misbehave({ kind: 'redirect', to: '/repositories/1/contents/template.yaml' });

    await assert.rejects(read(test, release, 'template.yaml'), SourceUnavailable);
    assert.equal(test.github.requests.length, 1);
  });

  it('is followed three times and no more', async () => {
    await using test = await startSource();
    const release = publish(test, { 'template.yaml': 'x' });
    test.github.misbehave({ kind: 'redirect', to: '/loop' }, { times: 9 });

    await assert.rejects(read(test, release, 'template.yaml'), SourceUnavailable);
    assert.equal(test.github.requests.length, 4);
  });

  it('of a query is never followed', async () => {
    await using test = await startSource();
    test.github.misbehave({ kind: 'redirect', to: '/graphql' });

    await assert.rejects(test.list(), SourceUnavailable);
    assert.equal(test.github.requests.length, 1);
  });
});
