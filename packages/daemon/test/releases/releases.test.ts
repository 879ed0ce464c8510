/** Pushed releases of an app: lists, details, deletions and collections, with the simulated registry. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { App, OwnRegistry, RegistryCollection, Release, Repository } from '@davit/api';
import { bootDaemon, app as makeApp, paramsOf, project, type TestDaemon, user } from '@davit/testkit';
import { RegistryUnavailable } from '../../src/adapters/registry/registry.ts';
import { unchecked } from '../../src/db/select.ts';
import { recordRelease } from '../../src/db/tables/release-tag.ts';
import { recordGrant } from '../../src/db/tables/repository.ts';
import { watchPushedReleases } from '../../src/reconcilers/pushed-releases.ts';
import type { Collections } from '../../src/resources/registry/collections.ts';

const DAY_MS = 86_400_000;

describe('releases', () => {
  let daemon: TestDaemon;
  let clock: number;
  beforeEach(async () => {
    clock = Date.parse('2026-01-01T00:00:00Z');
    daemon = await bootDaemon({ now: () => clock });
  });
  afterEach(() => daemon[Symbol.asyncDispose]());

  const pushedApp = (settings: object = {}) => makeApp(daemon, { source: 'registry', image: undefined, ...settings });
  const appIdOf = ({ name }: App): number =>
    daemon.core.store.get(unchecked<{ id: number }>('SELECT id FROM apps WHERE name = ?'), name)?.id ?? 0;
  /** Pushes a tag and records it like the notification of a push. */
  function push(app: App, tag: string, content = `${app.reference} ${tag}`): string {
    const digest = daemon.registry.push(app.reference, tag, content);
    clock += 1_000;
    daemon.core.store.tx((tx) => recordRelease(tx, { appId: appIdOf(app), tag, digest, at: clock, by: 'ada' }));
    return digest;
  }
  const survey = () => watchPushedReleases(daemon.core, daemon.core.collector).task.run(new AbortController().signal);
  const path = (app: App) => `/api/apps/${app.reference}/releases`;
  const read = async <T>(address: string, key = daemon.key): Promise<T> => {
    const { status, text } = await daemon.call('GET', address, undefined, key);
    assert.equal(status, 200, text);
    return JSON.parse(text) as T;
  };
  const list = (app: App, query = '') => read<Release[]>(`${path(app)}${query}`);
  const tagsOf = async (app: App) => (await list(app)).map(({ tag }) => tag);
  const collect = async (query = '?dry_run=false') => {
    const { status, text } = await daemon.call('POST', `/api/registry/collect${query}`);
    assert.equal(status, 200, text);
    return JSON.parse(text) as RegistryCollection;
  };
  /** Deploys a tag, so that an app runs or ran the digest. */
  async function deploy(app: App, tag: string, digest: string): Promise<number> {
    daemon.engine.controls.addImage(`localhost:${daemon.core.facts.ports.registry}/${app.reference}:${tag}`);
    const answer = await daemon.call('POST', `/api/apps/${app.reference}/deploy?wait=true`, { tag });
    const { id, status, error } = JSON.parse(answer.text);
    assert.equal(status, 'succeeded', error);
    daemon.core.store.tx((tx) => tx.run('UPDATE deployments SET digest = ? WHERE id = ?', digest, id));
    return id;
  }

  it('have a total size of at most the largest safe integer', async () => {
    const app = await pushedApp();
    const largest = Number.MAX_SAFE_INTEGER;
    daemon.registry.manifest = async (_, digest) => ({ digest, mediaType: 'x', bytes: largest });
    for (const tag of ['v1', 'v2']) push(app, tag);
    await survey();

    assert.deepEqual(
      (await list(app)).map(({ bytes }) => bytes),
      [largest, largest],
    );
  });

  it('are counted without the tags of signatures', async () => {
    const app = await pushedApp();
    const digest = push(app, 'v1');
    daemon.registry.push(app.reference, `${digest.replace(':', '-')}.sig`);
    await survey();

    const [repository] = await daemon.client.listRepositories();
    assert.deepEqual([repository?.releases, repository?.tags], [1, 2]);
    await daemon.client.deleteApp({ params: paramsOf(app.reference) });
    const [leftover] = await daemon.client.listRepositories();
    assert.deepEqual([leftover?.app, leftover?.releases, leftover?.tags], [null, null, 2]);
  });

  it('add the size of data that they share only once to their repository', async () => {
    const app = await pushedApp();
    const other = await pushedApp();
    for (const [tag, content] of [
      ['v1', 'first content'],
      ['v2', 'second content'],
    ] as const) {
      push(app, tag, content);
      push(other, tag, content);
    }
    daemon.registry.bytesOf = async (names) => 10 * names.length;
    daemon.registry.bytesOnDisk = async () => 15;
    await survey();

    const repositories = await daemon.client.listRepositories();
    assert.deepEqual(
      repositories.map(({ bytes }) => bytes),
      [10, 10],
      'not the sum of the sizes of the releases',
    );
    assert.equal((await daemon.client.getOwnRegistry()).bytes, 15);
  });

  it('change the sizes after a garbage collection', async () => {
    const collector = { bytes: null } as unknown as Collections;
    const watch = watchPushedReleases(daemon.core, collector);
    const app = await pushedApp();
    push(app, 'v1', 'twelve bytes');
    await watch.task.run(new AbortController().signal);
    assert.equal(collector.bytes, 12);

    clock += 60_000;
    await daemon.registry.removeRepositories([app.reference]);
    watch.changedAll();
    await watch.task.run(new AbortController().signal);

    assert.equal(collector.bytes, 0);
    assert.deepEqual(await daemon.client.listRepositories(), []);
  });

  /** Returns a watch whose registry calls `before` at the start of each call of one method. */
  function watchWith(method: 'repositories' | 'heads', before: () => void) {
    const { store, now } = daemon.core;
    const registry = new Proxy(daemon.core.registry, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        return async (...args: unknown[]) => {
          if (name === method) before();
          return value.apply(target, args);
        };
      },
    });
    const { task, ...watch } = watchPushedReleases({ registry, store, now }, { bytes: null } as unknown as Collections);
    return { ...watch, pass: () => task.run(new AbortController().signal) };
  }

  it('are checked again after data was removed during a check', async () => {
    let checks = 0;
    const watch = watchWith('repositories', () => {
      checks += 1;
      if (checks === 1) watch.changedAll();
    });

    assert.equal(await watch.pass(), 0, 'the next run is at once');
    await watch.pass();
    await watch.pass();

    assert.equal(checks, 2);
  });

  for (const [method, isSurveyed] of [
    ['repositories', false],
    ['heads', true],
  ] as const)
    it(`are checked again after the call of ${method} failed`, async () => {
      let checks = 0;
      let isBroken = false;
      const watch = watchWith(method, () => {
        checks += 1;
        if (isBroken) throw new RegistryUnavailable('away');
      });
      if (isSurveyed) await watch.pass();
      const app = await pushedApp();
      push(app, 'v1');
      watch.changed(appIdOf(app));

      isBroken = true;
      assert.equal(await watch.pass(), 30_000);
      isBroken = false;
      const before = checks;
      await watch.pass();

      assert.ok(checks > before);
    });

  it('are listed newest first in pages while the registry is unavailable', async () => {
    const app = await pushedApp();
    for (const tag of ['v1', 'v2', 'v3']) push(app, tag);
    daemon.registry.setUnavailable('away');

    const first = await daemon.call('GET', `${path(app)}?limit=2`);
    const cursor = /cursor=([^&>]+)/.exec(first.headers.get('link') ?? '')?.[1];

    assert.deepEqual(
      (JSON.parse(first.text) as Release[]).map(({ tag }) => tag),
      ['v3', 'v2'],
    );
    assert.deepEqual(
      (await list(app, `?limit=2&cursor=${cursor}`)).map(({ tag }) => tag),
      ['v1'],
    );
    assert.equal((await daemon.call('GET', `${path(app)}?cursor=x`)).status, 400);
  });

  it('include their author and push time, and their size once known', async () => {
    const app = await pushedApp();
    daemon.registry.setUnavailable('away');
    const digest = push(app, 'v1', 'twelve bytes');

    const [before] = await list(app);
    daemon.registry.setUnavailable(null);
    await survey();
    const after = await read<Release>(`${path(app)}/v1`);

    assert.deepEqual([before?.bytes, before?.media_type], [null, null]);
    assert.deepEqual(
      { ...after, media_type: null },
      {
        tag: 'v1',
        digest,
        bytes: 12,
        media_type: null,
        pushed_at: '2026-01-01T00:00:01.000Z',
        pushed_by: 'ada',
        deployment: null,
        live: false,
      },
    );
  });

  it('change the size of the registry within a minute after a push', async () => {
    const collector = { bytes: null } as unknown as Collections;
    const watch = watchPushedReleases(daemon.core, collector);
    const pass = () => watch.task.run(new AbortController().signal);
    const app = await pushedApp();
    await pass();
    assert.equal(collector.bytes, 0);

    push(app, 'v1', 'twelve bytes');
    watch.changed(appIdOf(app));
    const delay = (await pass()) ?? 0;
    assert.ok(delay > 0 && delay <= 60_000, `the next run is after ${delay} ms`);
    clock += delay;
    await pass();

    assert.equal(collector.bytes, 12);
  });

  it('do not change after repeated or outdated notifications', async () => {
    const app = await pushedApp();
    const first = push(app, 'latest', 'first');
    const second = push(app, 'latest', 'second');
    const { store } = daemon.core;
    const appId = appIdOf(app);
    const record = (digest: string, at: number) =>
      store.tx((tx) => recordRelease(tx, { appId, tag: 'latest', digest, at, by: null }));

    assert.deepEqual(
      [record(second, clock), record(second, clock + 5_000), record(first, clock - 1_000)],
      [false, false, false],
    );
    assert.deepEqual(
      (await list(app)).map(({ tag, digest, pushed_by }) => [tag, digest, pushed_by]),
      [['latest', second, 'ada']],
    );
  });

  it('name their deployment and whether they are live', async () => {
    const app = await pushedApp();
    const [one, two] = [push(app, 'v1'), push(app, 'v2')];
    const first = await deploy(app, 'v1', one);
    const second = await deploy(app, 'v2', two);

    assert.deepEqual(
      (await list(app)).map(({ tag, deployment, live }) => [tag, deployment, live]),
      [
        ['v2', second, true],
        ['v1', first, false],
      ],
    );
  });

  it('are empty for an app with another source', async () => {
    assert.deepEqual(await list(await makeApp(daemon)), []);
  });

  it('are deleted by tag, and another tag of the same image stays', async () => {
    const app = await pushedApp();
    push(app, 'v1', 'same');
    push(app, 'latest', 'same');

    assert.equal((await daemon.call('DELETE', `${path(app)}/latest`)).status, 204);

    assert.deepEqual([await tagsOf(app), await daemon.registry.tags(app.reference)], [['v1'], ['v1']]);
    assert.equal((await daemon.call('DELETE', `${path(app)}/latest`)).status, 404);
    assert.equal((await daemon.call('DELETE', `${path(app)}/..%2f..`)).status, 404);
    assert.equal((await daemon.call('GET', `${path(app)}/nothing`)).status, 404);
  });

  it('are not deleted while live or pinned', async () => {
    const app = await pushedApp();
    for (const tag of ['v1', 'v2', 'v3']) push(app, tag);
    const id = await deploy(app, 'v1', push(app, 'v1'));
    await daemon.call('PATCH', `/api/apps/${app.reference}`, { tag: 'v2' });

    const answers = await Promise.all(['v1', 'v2'].map((tag) => daemon.call('DELETE', `${path(app)}/${tag}`)));

    assert.deepEqual(
      answers.map(({ status, text }) => [status, text.trim()]),
      [
        [409, `v1 is live with deployment ${id}. Deploy another release first.`],
        [409, 'The app is pinned to v2. Set another tag first.'],
      ],
    );
    assert.equal((await daemon.call('DELETE', `${path(app)}/v3`)).status, 204);
  });

  it('stay unchanged if a deletion fails with 503 during a registry outage', async () => {
    const app = await pushedApp();
    push(app, 'v1');
    daemon.registry.setUnavailable('The registry is away.');

    const { status, text } = await daemon.call('DELETE', `${path(app)}/v1`);

    assert.deepEqual([status, text.trim()], [503, 'The registry is away.']);
    assert.deepEqual(await tagsOf(app), ['v1']);
  });

  it('beyond the retention are collected, except images that deployments still need', async () => {
    await daemon.call('PATCH', '/api/settings', { registry: { keep_tags: 1, push_minutes: 0 }, images: { keep: 1 } });
    const app = await pushedApp();
    const digests = ['v1', 'v2', 'v3', 'v4', 'v5'].map((tag) => push(app, tag));
    await deploy(app, 'v2', digests[1] ?? '');
    await deploy(app, 'v3', digests[2] ?? '');
    const moved = push(app, 'v2', 'another image');

    const dry = await collect('');
    const done = await collect();

    assert.deepEqual({ ...done, dry_run: true }, dry);
    assert.deepEqual(done.tags.map(({ tag }) => tag).toSorted(), ['v1', 'v4', 'v5']);
    assert.deepEqual((await tagsOf(app)).toSorted(), ['v2', 'v3']);
    assert.ok(
      await daemon.registry.manifest(app.reference, digests[1] ?? ''),
      'its tag moved on, and it can be gone back to',
    );
    assert.ok(await daemon.registry.manifest(app.reference, moved));
    assert.equal(await daemon.registry.manifest(app.reference, digests[0] ?? ''), null);
  });

  it('and artifacts are collected separately, each beyond the newest tags', async () => {
    await daemon.call('PATCH', '/api/settings', { registry: { keep_tags: 2, push_minutes: 0 } });
    const app = await pushedApp({ tag: 'none' });
    for (const tag of ['v1', 'v2']) push(app, tag);
    for (const tag of ['sbom-1', 'sbom-2', 'sbom-3']) {
      daemon.registry.pushArtifact(app.reference, tag);
      clock += 1_000;
      await daemon.core.pushes.look();
    }

    const { tags } = await collect();

    assert.deepEqual(
      tags.map(({ tag }) => tag),
      ['sbom-1'],
    );
    assert.deepEqual((await tagsOf(app)).toSorted(), ['v1', 'v2']);
    assert.deepEqual(await daemon.registry.tags(app.reference), ['sbom-2', 'sbom-3', 'v1', 'v2']);
  });

  it('of a repository with a recent push are left for the next collection', async () => {
    await daemon.call('PATCH', '/api/settings', { registry: { keep_tags: 1 } });
    const app = await pushedApp();
    for (const tag of ['v1', 'v2']) push(app, tag);
    daemon.core.store.tx((tx) => recordGrant(tx, { name: app.reference, at: clock, push: true }));

    const first = await collect();
    clock += 11 * 60_000;
    const second = await collect();

    assert.deepEqual([first.tags, first.spared], [[], [app.reference]]);
    assert.deepEqual([second.tags.length, second.spared], [1, []]);
  });

  it('of a deleted app are removed after a retention period or by an admin', async () => {
    const [kept, gone, other] = [await pushedApp(), await pushedApp(), await pushedApp()];
    for (const app of [kept, gone, other]) push(app, 'v1');
    for (const app of [gone, other]) await daemon.call('DELETE', `/api/apps/${app.reference}`);
    await survey();
    const repository = (app: App, confirm = app.reference) =>
      daemon.call('DELETE', `/api/registry/repositories/${app.reference}?confirm=${encodeURIComponent(confirm)}`);

    const shown = await read<Repository[]>('/api/registry/repositories');
    assert.deepEqual(
      shown.map(({ name, app, tags }) => [name, app, tags]),
      [kept, gone, other].map((app) => [app.reference, app === kept ? app.reference : null, 1]).toSorted(),
    );
    assert.equal((await repository(kept)).status, 409);
    assert.equal((await repository(other, 'something')).status, 400);
    assert.equal((await repository(other)).status, 204);
    assert.equal((await repository(other)).status, 404);
    assert.deepEqual((await collect()).repositories, []);
    clock += 8 * DAY_MS;
    assert.deepEqual((await collect()).repositories, [gone.reference]);
    assert.deepEqual(await daemon.registry.repositories(), [kept.reference]);
  });

  it('of a just deleted app are listed and can be removed immediately', async () => {
    const app = await pushedApp();
    push(app, 'v1');
    await survey();
    const address = `/api/registry/repositories/${app.reference}?confirm=${app.reference}`;
    const listed = async () => (await read<Repository[]>('/api/registry/repositories')).map(({ name }) => name);
    assert.equal((await daemon.call('DELETE', address)).status, 409);
    await daemon.call('DELETE', `/api/apps/${app.reference}`);

    assert.deepEqual(await listed(), [app.reference]);
    assert.equal((await daemon.call('DELETE', address)).status, 204);
    assert.deepEqual(await listed(), []);
    assert.equal((await daemon.call('DELETE', address)).status, 404);
    assert.equal(await daemon.registry.manifest(app.reference, 'v1'), null);
  });

  it('are kept if their tag is pushed again before the deletion', async () => {
    const app = await pushedApp();
    push(app, 'v1');
    await survey();
    const again = daemon.registry.push(app.reference, 'v1', 'another');

    const { status, text } = await daemon.call('DELETE', `${path(app)}/v1`);

    assert.equal(status, 409, text);
    assert.match(text, /pushed again/);
    assert.equal(await daemon.registry.digestOf(app.reference, 'v1'), again);
  });

  it('of other projects are hidden, and unauthorized deletions are refused', async () => {
    const [mine, theirs] = [await pushedApp(), await pushedApp()];
    for (const app of [mine, theirs]) push(app, 'v1');
    await survey();
    const member = user(daemon, 'member', [mine.project]);
    const admin = user(daemon, 'admin', [await project(daemon)]);

    const names = (await read<Repository[]>('/api/registry/repositories', member.key)).map(({ name }) => name);
    assert.deepEqual(names, [mine.reference]);
    assert.equal((await read<OwnRegistry>('/api/registry', member.key)).repositories, 1);
    assert.equal((await daemon.call('DELETE', `${path(theirs)}/v1`, undefined, member.key)).status, 404);
    const address = `/api/registry/repositories/${theirs.reference}?confirm=${theirs.reference}`;
    assert.equal((await daemon.call('DELETE', address, undefined, admin.key)).status, 404);
    assert.equal((await daemon.call('POST', '/api/registry/collect', undefined, admin.key)).status, 403);
    const viewer = user(daemon, 'viewer');
    assert.equal((await daemon.call('DELETE', `${path(mine)}/v1`, undefined, viewer.key)).status, 403);
  });

  it('are forgotten when their tag is missing in the registry', async () => {
    const app = await pushedApp();
    for (const tag of ['v1', 'v2']) push(app, tag);
    await survey();
    const digest = (await daemon.registry.digestOf(app.reference, 'v1')) ?? '';
    await daemon.registry.untag({ repository: app.reference, tag: 'v1' }, digest);

    await survey();

    assert.deepEqual(await tagsOf(app), ['v2']);
  });

  it('are forgotten when their repository is missing in the registry', async () => {
    const app = await pushedApp();
    push(app, 'v1');
    await survey();
    await daemon.registry.removeRepositories([app.reference]);

    await survey();

    assert.deepEqual([await tagsOf(app), await read<Repository[]>('/api/registry/repositories')], [[], []]);
  });

  it('have a collection status with the last result or error', async () => {
    const state = () => read<OwnRegistry>('/api/registry');
    assert.equal((await state()).collection.last, null);
    daemon.registry.setUnavailable('The registry is away.');
    assert.equal((await daemon.call('POST', '/api/registry/collect?dry_run=false')).status, 503);
    assert.deepEqual(
      [(await state()).status, (await state()).collection.last?.error],
      ['unavailable', 'The registry is away.'],
    );
    daemon.registry.setUnavailable(null);

    await collect();

    const { collection, status, local_address } = await state();
    assert.deepEqual([status, collection.running, collection.last?.error], ['running', false, null]);
    assert.equal(local_address, `localhost:${daemon.core.facts.ports.registry}`);
  });

  it('cannot be collected twice at the same time', async () => {
    const { collector } = daemon.core;

    const [first, second] = await Promise.allSettled([collector.collect(), collector.collect()]);

    assert.deepEqual([first.status, second.status], ['fulfilled', 'rejected']);
    assert.match(
      String(second.status === 'rejected' && second.reason),
      /Garbage collection of the registry is already running/,
    );
  });

  it('have collection settings with validation of schedule, time zone and tag limit', async () => {
    for (const registry of [
      { collect_cron: '99 3 * * *' },
      { collect_cron: '* * * * *' },
      { time_zone: 'Mars' },
      { keep_tags: -1 },
    ])
      assert.equal((await daemon.call('PATCH', '/api/settings', { registry })).status, 400, JSON.stringify(registry));
    const registry = { collect_cron: '0,30 4 * * *', time_zone: 'Europe/Berlin', keep_tags: 0 };
    assert.equal((await daemon.call('PATCH', '/api/settings', { registry })).status, 200);
  });
});
