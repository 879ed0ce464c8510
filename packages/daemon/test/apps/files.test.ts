/** Small files of apps: their content reaches containers, but no other place. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { App, Revision, RevisionComparison } from '@davit/api';
import { app, bootDaemon, deployedApp, paramsOf, type TestDaemon, user } from '@davit/testkit';

const INI = { path: '/etc/shop/settings.ini', content: 'token = se"cret\nname = käse\n' };

describe('files of an app', () => {
  let daemon: TestDaemon;
  before(async () => {
    daemon = await bootDaemon();
  });
  after(() => daemon[Symbol.asyncDispose]());

  const pathOf = ({ reference }: App) => `/api/apps/${reference}`;
  const read = (one: App) => daemon.client.getApp({ params: paramsOf(one) });
  const patch = (one: App, files: unknown, query = '') => daemon.call('PATCH', `${pathOf(one)}${query}`, { files });
  const deploy = (one: App, tag = 'v1') => daemon.call('POST', `${pathOf(one)}/deploy?wait=true`, { tag });
  const get = async <T>(path: string) => JSON.parse((await daemon.call('GET', path)).text) as T;
  /** Returns the files of an app's newest container. */
  const given = ({ reference }: App) =>
    daemon.engine.controls
      .containers()
      .filter((container) => container.app === reference && container.kind === 'app')
      .at(-1)
      ?.files.map(({ path, bytes, mode }) => [path, Buffer.from(bytes).toString(), mode]);

  async function refused(one: App, files: unknown, words: RegExp, status = 400): Promise<void> {
    const answer = await patch(one, files);
    assert.equal(answer.status, status, answer.text);
    assert.match(answer.text, words);
  }

  it('are copied into new containers, but responses omit their content', async () => {
    const { app: one } = await deployedApp(daemon, { files: [{ ...INI, mode: '600' }] });

    assert.deepEqual(given(one), [[INI.path, INI.content, 0o600]]);
    const [shown, ...others] = one.files;
    assert.deepEqual([shown?.path, shown?.mode, others], [INI.path, '0600', []]);
    assert.match(shown?.version ?? '', /^[0-9a-f]{16}$/);
    for (const path of ['', '/revisions/1', '/revisions', '/deployments', '/env']) {
      assert.doesNotMatch((await daemon.call('GET', `${pathOf(one)}${path}`)).text, /se\\?"cret|käse/, path);
    }
  });

  it('are a pending change only if their content differs', async () => {
    const { app: one } = await deployedApp(daemon, { files: [INI] });

    await patch(one, [INI]);
    await patch(one, one.files);
    await patch(one, [{ path: INI.path }]);
    assert.deepEqual([(await read(one)).revision, (await read(one)).pending_changes], [1, false]);

    await patch(one, [{ ...INI, content: 'other' }]);
    const changed = await read(one);
    assert.deepEqual([changed.revision, changed.pending_changes], [2, true]);
    assert.notEqual(changed.files[0]?.version, one.files[0]?.version);
    assert.deepEqual(given(one), [[INI.path, INI.content, 0o644]]);
    await deploy(one);
    assert.deepEqual(given(one), [[INI.path, 'other', 0o644]]);
  });

  it('keep their content if another file or only the mode changes', async () => {
    const { app: one } = await deployedApp(daemon, { files: [INI] });

    await patch(
      one,
      [
        { path: INI.path, mode: '0755' },
        { path: '/etc/shop/more', content: '' },
      ],
      '?deploy=true',
    );

    await daemon.settled();
    assert.deepEqual(given(one), [
      [INI.path, INI.content, 0o755],
      ['/etc/shop/more', '', 0o644],
    ]);
    await patch(one, null, '?deploy=true');
    await daemon.settled();
    assert.deepEqual([given(one), (await read(one)).files], [[], []]);
  });

  it('stay after an unrelated patch and are removed by a put without files', async () => {
    const one = await app(daemon, { files: [INI] });

    await daemon.call('PATCH', pathOf(one), { args: ['serve'] });
    assert.deepEqual((await read(one)).files, one.files);

    await daemon.call('PUT', pathOf(one), { source: 'image', image: 'example/web', port: 8080 });
    assert.deepEqual((await read(one)).files, []);
  });

  it('return after a rollback and after restoring a revision', async () => {
    const { app: one, deployment } = await deployedApp(daemon, { files: [INI] });
    await patch(one, [{ ...INI, content: 'other' }]);
    await deploy(one, 'v2');

    const back = await daemon.call('POST', `${pathOf(one)}/rollback?wait=true`, { deployment: deployment.id });
    assert.ok(back.status < 300, back.text);
    assert.deepEqual(given(one), [[INI.path, INI.content, 0o644]]);

    const compared = await get<RevisionComparison>(`${pathOf(one)}/revisions/1/compare`);
    assert.deepEqual(
      compared.settings.map(({ path }) => path),
      ['files'],
    );
    const restored = await daemon.call('POST', `${pathOf(one)}/revisions/1/restore?deploy=true`);
    assert.ok(restored.status < 300, restored.text);
    await daemon.settled();
    assert.deepEqual((await read(one)).files, one.files);
    assert.deepEqual((await get<Revision>(`${pathOf(one)}/revisions/1`)).settings.files, one.files);
    assert.deepEqual(given(one), [[INI.path, INI.content, 0o644]]);
  });

  it('are available in the release command and in a run', async () => {
    const { app: one, deployment } = await deployedApp(daemon, {
      files: [{ path: '/etc/shop/word', content: 'a word' }],
      release_command: ['cat', '/etc/shop/word'],
    });
    assert.match(JSON.stringify(await get(`${pathOf(one)}/deployments/${deployment.id}`)), /a word/);

    const ran = await daemon.call('POST', `${pathOf(one)}/run`, { command: ['cat', '/etc/shop/word'] });

    assert.match(ran.text, /a word/);
  });

  it('are refused with the invalid field if a file is not valid', async () => {
    const one = await app(daemon);
    const at = (path: string) => [{ path, content: '' }];

    for (const path of ['etc/x', '/', '/etc/../x', '/proc/x', '/sys', '/dev/null', '/etc/hosts', '/a//b', '/a/', 7])
      await refused(one, at(path as string), /files\.0\.path/);
    await refused(one, [...at('/a/b'), ...at('/a/b')], /files\.1\.path.*used by another file/);
    await refused(one, [...at('/a'), ...at('/a/b')], /files\.1\.path.*another file as a folder/);
    for (const mode of ['4755', '0999', 'rw', 644]) await refused(one, [{ ...INI, mode }], /files\.0\.mode/);
    await refused(one, [{ path: '/a' }], /files\.0\.content: The content is required/);
    await refused(one, [{ path: '/a', version: 'f'.repeat(16) }], /files\.0\.version/);
    await refused(one, [{ ...INI, owner: 'root' }], /files\.0/);
    assert.deepEqual((await read(one)).revision, 1);
  });

  it('are limited in size and number', async () => {
    const one = await app(daemon);
    const of = (count: number, bytes: number) =>
      Array.from({ length: count }, (_, n) => ({ path: `/etc/shop/${n}`, content: 'ä'.repeat(bytes / 2) }));

    await refused(one, of(1, 64 * 1024 + 2), /files\.0\.content.*65536/);
    await refused(one, of(5, 60 * 1024), /files.*262144/);
    await refused(one, of(65, 0), /files/);
    assert.equal((await patch(one, of(4, 64 * 1024))).status, 200);
    // The existing files count towards the limit.
    const kept = (await read(one)).files;
    await refused(one, [...kept, { path: '/etc/one-more', content: 'x' }], /files.*262144/);
    assert.equal((await patch(one, of(64, 2))).status, 200);
  });

  it('are refused inside a volume, and a volume is refused over files', async () => {
    const one = await app(daemon);
    assert.equal((await daemon.call('POST', `${pathOf(one)}/volumes`, { path: '/data' })).status, 201);
    await refused(one, [{ path: '/data/seed', content: '' }], /volume at \/data/, 409);

    assert.equal((await patch(one, [INI])).status, 200);
    const over = await daemon.call('POST', `${pathOf(one)}/volumes`, { path: '/etc/shop' });
    assert.deepEqual([over.status, /files/.test(over.text)], [409, true]);
  });

  it('cannot be changed by a viewer or with versions of another app', async () => {
    const one = await app(daemon, { files: [INI] });
    const other = await app(daemon);
    const viewer = user(daemon, 'viewer');

    assert.equal((await daemon.call('PATCH', pathOf(one), { files: [] }, viewer.key)).status, 403);
    await refused(other, one.files, /files\.0\.version/);
  });
});
