/** Tests that a new app gets no access to the registry contents of a deleted app with the same name. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { type App, appReference, type Release, type Repository } from '@davit/api';
import { bootDaemon, app as makeApp, project, slug, type TestDaemon, user } from '@davit/testkit';
import { watchPushedReleases } from '../../src/reconcilers/pushed-releases.ts';
import { removeLeftovers } from '../../src/resources/registry/leftovers.ts';
import { accessIn, basic, notifyPush, requestToken } from '../support/registry-setup.ts';

const MINUTE_MS = 60_000;
const REMOVING = /The images of an earlier app .* are being removed\. Push again in (a moment|a few minutes)\./;

describe('app with the name of a deleted app', () => {
  let daemon: TestDaemon;
  let clock: number;
  let target: { project: string; environment: string; name: string };
  beforeEach(async () => {
    clock = Date.now();
    daemon = await bootDaemon({ now: () => clock });
    target = { project: await project(daemon), environment: 'production', name: slug('app') };
  });
  afterEach(() => daemon[Symbol.asyncDispose]());

  const create = () => makeApp(daemon, { ...target, source: 'registry', image: null });
  const reference = () => appReference(target.project, target.environment, target.name);
  const tokenFor = (actions: string, authorization = basic('admin', daemon.key)) =>
    requestToken(daemon, `?scope=repository:${reference()}:${actions}`, authorization);
  const mayDo = async () => accessIn(await tokenFor('pull,push')).flatMap(({ actions }) => actions);
  const read = async <T>(address: string): Promise<T> => JSON.parse((await daemon.call('GET', address)).text) as T;

  /** Pushes a tag like a client with a push token. */
  async function push(tag: string): Promise<void> {
    assert.deepEqual(await mayDo(), ['pull', 'push']);
    daemon.registry.push(reference(), tag);
    await notifyPush(daemon, { repository: reference(), tag });
    await daemon.daemon.settled();
  }

  /**
   * Deletes the app and creates another one while the registry is unavailable, so that the images of the first app
   * still exist.
   */
  async function remade(remove: () => Promise<unknown>): Promise<App> {
    await remove();
    await daemon.daemon.settled();
    daemon.registry.setUnavailable('The registry is away.');
    const app = await create();
    await daemon.daemon.settled();
    return app;
  }
  const deleteApp = () => daemon.call('DELETE', `/api/apps/${reference()}`);
  async function deleteProject(): Promise<void> {
    const { status, text } = await daemon.call('DELETE', `/api/projects/${target.project}`);
    assert.ok(status < 300, text);
  }
  /**
   * Deletes and creates the whole project in the same way. The name of the project is free after all its apps have
   * stopped.
   */
  async function remadeWithProject(): Promise<App> {
    return remade(async () => {
      await deleteProject();
      await daemon.daemon.settled();
      await daemon.client.createProject({ body: { slug: target.project } });
    });
  }

  it('has no access to images, releases or deployments of the deleted app', async () => {
    await create();
    await push('v1');
    await remade(deleteApp);
    daemon.registry.setUnavailable(null);

    const pushed = await tokenFor('pull,push');
    const pulled = await tokenFor('pull');

    assert.match(pushed.text, REMOVING);
    assert.deepEqual([pushed.status, accessIn(pulled)], [403, []]);
    await notifyPush(daemon, { repository: reference(), tag: 'v1' });
    const { status, text } = await daemon.call('POST', `/api/apps/${reference()}/deploy`, { tag: 'v1' });
    assert.deepEqual([status, /registry of this instance has no image/.test(text)], [404, true], text);
    await daemon.core.pushes.look();
    assert.deepEqual(await read<Release[]>(`/api/apps/${reference()}/releases`), []);
    assert.deepEqual(await read<unknown[]>(`/api/apps/${reference()}/deployments`), []);
  });

  it('has no access if the app is created during a token request', async (t) => {
    await create();
    await push('v1');
    const { registry } = daemon;
    const status = registry.status.bind(registry);
    const statusMock = t.mock.method(registry, 'status', async () => {
      statusMock.mock.restore();
      await remade(deleteApp);
      return status();
    });

    const { status: answered, text } = await tokenFor('pull,push');

    assert.deepEqual([answered, REMOVING.test(text)], [403, true], text);
  });

  it('accepts pushes after the images of the deleted app are removed', async () => {
    await create();
    await push('v1');
    await deleteApp();
    await daemon.daemon.settled();

    await create();
    await daemon.daemon.settled();

    assert.deepEqual(await daemon.registry.tags(reference()), []);
    await push('v2');
    const releases = await read<Release[]>(`/api/apps/${reference()}/releases`);
    assert.deepEqual(
      releases.map(({ tag, live }) => [tag, live]),
      [['v2', true]],
    );
  });

  it('of another project waits until all earlier registry tokens have expired', async () => {
    await create();
    await push('v1');
    const viewer = user(daemon, 'viewer', [target.project]);
    clock += 4 * MINUTE_MS;
    assert.equal(accessIn(await tokenFor('pull', basic(viewer.username, viewer.key))).length, 1);
    await remadeWithProject();
    daemon.registry.setUnavailable(null);

    clock += 5 * MINUTE_MS;
    const waits = await removeLeftovers(daemon.core);

    assert.equal(waits, MINUTE_MS);
    assert.match((await tokenFor('push')).text, /Push again in a few minutes/);
    assert.deepEqual(await daemon.registry.tags(reference()), ['v1']);
    clock += MINUTE_MS;
    assert.equal(await removeLeftovers(daemon.core), undefined);
    assert.deepEqual([await daemon.registry.tags(reference()), await mayDo()], [[], ['pull', 'push']]);
  });

  it('of another project waits for expired tokens even after an admin deletes the images', async () => {
    await create();
    await push('v1');
    await deleteProject();
    await watchPushedReleases(daemon.core, daemon.core.collector).task.run(new AbortController().signal);
    const address = `/api/registry/repositories/${reference()}?confirm=${reference()}`;
    assert.equal((await daemon.call('DELETE', address)).status, 204);
    assert.equal((await daemon.call('DELETE', address)).status, 404);
    // The client still has an earlier token, and the registry itself does not check whether the app exists.
    daemon.registry.push(reference(), 'late');

    await daemon.client.createProject({ body: { slug: target.project } });
    await create();
    await daemon.daemon.settled();

    assert.deepEqual([await mayDo(), await daemon.registry.tags(reference())], [[], ['late']]);
    clock += 6 * MINUTE_MS;
    assert.equal(await removeLeftovers(daemon.core), undefined);
    assert.deepEqual([await mayDo(), await daemon.registry.tags(reference())], [['pull', 'push'], []]);
  });

  it('does not show the leftover images to members of the new project', async () => {
    await create();
    await push('v1');
    await remadeWithProject();
    const member = user(daemon, 'member', [target.project]);
    daemon.registry.setUnavailable(null);
    await watchPushedReleases(daemon.core, daemon.core.collector).task.run(new AbortController().signal);
    const { status, text } = await daemon.call('GET', '/api/registry/repositories', undefined, member.key);

    assert.deepEqual([status, JSON.parse(text)], [200, []]);
    assert.deepEqual(
      (await read<Repository[]>('/api/registry/repositories')).map(({ name, app }) => [name, app]),
      [[reference(), null]],
    );
  });

  it('keeps its own images if the source changes to an image and back', async () => {
    await create();
    await push('v1');
    await daemon.call('PATCH', `/api/apps/${reference()}`, { source: 'image', image: 'nginx' });
    await daemon.call('PATCH', `/api/apps/${reference()}`, { source: 'registry', image: null });
    await daemon.daemon.settled();

    assert.deepEqual([await daemon.registry.tags(reference()), await mayDo()], [['v1'], ['pull', 'push']]);
  });
});
