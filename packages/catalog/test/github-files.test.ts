/**
 * Tests that files of a release are read at the commit of the release. A file is missing only if GitHub confirms it.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SimulatedEntry } from '@davit/testkit/github';
import { type FileAnswer, type KnownRepository, type SourcePath, SourceUnavailable } from '../src/source/source.ts';
import { startSource, type TestSource } from './support/github-source.ts';

const ICON = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0xff, 0xfe, 0xc3, 0x28]);
const MAX_BYTES = 1_000;

interface Published {
  repository: KnownRepository;
  commit: string;
}

function publish({ github }: TestSource, files: Record<string, SimulatedEntry>): Published {
  const { id, nodeId, owner, name } = github.world.add({ owner: 'acme', name: 'wiki' });
  const { commit } = github.world.release(id, { files });
  return { repository: { id, nodeId, owner: owner.login, name }, commit: commit ?? '' };
}

function read(test: TestSource, { repository, commit }: Published, path: SourcePath): Promise<FileAnswer> {
  return test.source.readFile(repository, commit, path, MAX_BYTES, test.signal);
}

const found = (bytes: string | Uint8Array) => ({ kind: 'found', bytes: Uint8Array.from(Buffer.from(bytes)) });

describe('reading a file from GitHub', () => {
  it('returns text and binary files byte for byte', async () => {
    await using test = await startSource();
    const release = publish(test, { 'icon.png': ICON, 'README.md': '\ufeffä\r\n' });

    assert.deepEqual(await read(test, release, 'icon.png'), found(ICON));
    assert.deepEqual(await read(test, release, 'README.md'), found('\ufeffä\r\n'));
    const [first] = test.github.requests;
    assert.equal(first?.path, `/repos/acme/wiki/contents/icon.png?ref=${release.commit}`);
    assert.equal(first?.authorization, `token ${test.github.token}`);
  });

  it('accepts empty files and files of exactly the maximum size', async () => {
    await using test = await startSource();
    const release = publish(test, { 'README.md': '', 'template.yaml': 'a'.repeat(MAX_BYTES) });

    assert.deepEqual(await read(test, release, 'README.md'), found(''));
    assert.deepEqual(await read(test, release, 'template.yaml'), found('a'.repeat(MAX_BYTES)));
  });

  it('reports a file above the maximum size as too large', async () => {
    await using test = await startSource();
    const release = publish(test, { 'template.yaml': 'a'.repeat(MAX_BYTES + 1), 'README.md': Buffer.alloc(5_000_000) });

    assert.deepEqual(await read(test, release, 'template.yaml'), { kind: 'too-large' });
    assert.deepEqual(await read(test, release, 'README.md'), { kind: 'too-large' });
    assert.equal(test.github.requests.length, 2);
  });

  it('reuses the cached file after a 304 response', async () => {
    await using test = await startSource();
    const release = publish(test, { 'icon.png': ICON });
    await read(test, release, 'icon.png');

    assert.deepEqual(await read(test, release, 'icon.png'), found(ICON));
    assert.deepEqual(
      test.github.requests.map(({ status }) => status),
      [200, 304],
    );
  });

  it('reads the file of the requested commit after a tag was moved', async () => {
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

  it('stays within the repository path for unusual repository names', async () => {
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

  it('reports a file as too large if GitHub refuses its size', async () => {
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

describe('a missing file on GitHub', () => {
  it('is detected with a single query for all files of a commit', async () => {
    await using test = await startSource();
    const release = publish(test, { 'README.md': 'x' });

    assert.deepEqual(await read(test, release, 'template.yaml'), { kind: 'missing' });
    assert.deepEqual(await read(test, release, 'template.yml'), { kind: 'missing' });
    assert.deepEqual(await read(test, release, 'icon.png'), { kind: 'missing' });
    assert.deepEqual(await read(test, release, 'README.md'), found('x'));
    assert.deepEqual(test.operations(), [null, 'Entries', null]);
  });

  it('is detected with a single query for parallel reads', async () => {
    await using test = await startSource();
    const release = publish(test, { 'README.md': 'x' });
    const paths = ['template.yaml', 'README.md', 'icon.png'] as const;

    const answers = await Promise.all(paths.map((path) => read(test, release, path)));
    assert.deepEqual(answers, [{ kind: 'missing' }, found('x'), { kind: 'missing' }]);
    assert.equal(test.operations().filter((operation) => operation === 'Entries').length, 1);
  });

  it('is reported if a folder or a submodule has its name', async () => {
    await using test = await startSource();
    const release = publish(test, { 'template.yaml': { kind: 'folder' }, 'icon.png': { kind: 'submodule' } });

    assert.deepEqual(await read(test, release, 'template.yaml'), { kind: 'missing' });
    assert.deepEqual(await read(test, release, 'icon.png'), { kind: 'missing' });
  });
});

describe('a file that is not reported as missing', () => {
  const changes: [string, (test: TestSource, id: number) => void][] = [
    ['because its repository was deleted', ({ github }, id) => github.world.remove(id)],
    [
      'because its repository became private',
      ({ github }, id) => Object.assign(github.world.get(id), { private: true }),
    ],
    ['because its commit no longer exists', ({ github }, id) => github.world.get(id).files.clear()],
    ['because GitHub returned status 404 only once', ({ github }) => github.misbehave({ kind: 'status', status: 404 })],
    [
      'because another repository took its name',
      ({ github }, id) => {
        github.world.move(id, { name: 'other' });
        github.world.add({ owner: 'acme', name: 'wiki' });
      },
    ],
    [
      'because GitHub reported a rate limit with status 404',
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

  it('is read after its repository was renamed or transferred', async () => {
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

describe('a redirect from GitHub', () => {
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
      const requestedOrigins: string[] = [];
      const fetch: typeof globalThis.fetch = (url, init) => {
        requestedOrigins.push(new URL(String(url)).origin);
        return globalThis.fetch(url, init);
      };
      await using test = await startSource({ fetch });
      const release = publish(test, { 'template.yaml': 'x' });
      test.github.misbehave({ kind: 'redirect', to });

      await assert.rejects(read(test, release, 'template.yaml'), /redirected|is not followed/);
      assert.deepEqual(requestedOrigins, [test.github.origin]);
    });
  }

  it('to the ID of another repository is not followed', async () => {
    await using test = await startSource();
    const release = publish(test, { 'template.yaml': 'x' });
    test.github.misbehave({ kind: 'redirect', to: '/repositories/1/contents/template.yaml' });

    await assert.rejects(read(test, release, 'template.yaml'), SourceUnavailable);
    assert.equal(test.github.requests.length, 1);
  });

  it('is followed at most three times', async () => {
    await using test = await startSource();
    const release = publish(test, { 'template.yaml': 'x' });
    test.github.misbehave({ kind: 'redirect', to: '/loop' }, { times: 9 });

    await assert.rejects(read(test, release, 'template.yaml'), SourceUnavailable);
    assert.equal(test.github.requests.length, 4);
  });

  it('of a GraphQL query is never followed', async () => {
    await using test = await startSource();
    test.github.misbehave({ kind: 'redirect', to: '/graphql' });

    await assert.rejects(test.list(), SourceUnavailable);
    assert.equal(test.github.requests.length, 1);
  });
});
