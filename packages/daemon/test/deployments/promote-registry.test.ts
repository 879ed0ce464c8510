/** Promotion of an image that was pushed to the instance: the target app gets the image in its own repository. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Deployment } from '@davit/api';
import { app, bootDaemon, paramsOf, project } from '@davit/testkit';
import { until } from '@davit/testkit/waiting';
import { inLong } from '../../../../test/support/tiers.ts';
import { repositoryByName } from '../../src/db/tables/repository.ts';
import { neededDigests } from '../../src/resources/registry/needed-images.ts';
import { appIdOf } from '../support/registry-setup.ts';

describe('promotion of an image from the built-in registry', async () => {
  const daemon = await bootDaemon();
  after(() => daemon[Symbol.asyncDispose]());

  /** Creates an app with the same name in two environments, with a live release in the first. */
  async function pair() {
    const name = await project(daemon);
    await daemon.client.createEnvironment({ params: { project: name }, body: { slug: 'staging' } });
    const fields = { project: name, name: 'site', source: 'registry', image: null, tag: 'none' };
    const staging = await app(daemon, { ...fields, environment: 'staging' });
    const production = await app(daemon, fields);
    const digest = daemon.registry.push(staging.reference, 'v1');
    const other = daemon.registry.push(staging.reference, 'v2');
    assert.equal((await deploy(staging.reference, { tag: 'v1' })).status, 'succeeded');
    return { staging, production, digest, other };
  }
  const deploy = async (reference: string, body: object) =>
    JSON.parse((await daemon.call('POST', `/api/apps/${reference}/deploy?wait=true`, body)).text) as Deployment;
  const has = async (reference: string, digest: string) => (await daemon.registry.digestOf(reference, digest)) !== null;

  it('adds only the promoted image to the repository of the target app', async () => {
    const { staging, production, digest, other } = await pair();

    assert.equal((await deploy(production.reference, { from: staging.reference })).status, 'succeeded');

    assert.equal(await has(production.reference, digest), true);
    assert.equal(await has(production.reference, other), false);
    assert.deepEqual(await daemon.registry.tags(production.reference), []);
    const needed = neededDigests(daemon.core);
    for (const { reference } of [staging, production]) assert.ok(needed.get(reference)?.has(digest), reference);
  });

  it('pulls a lost image from the target repository after the source app was deleted', async () => {
    const { staging, production, digest } = await pair();
    const first = await deploy(production.reference, { from: staging.reference });
    await daemon.client.deleteApp({ params: paramsOf(staging) });
    await daemon.settled();
    const gone = `sha256:${'e'.repeat(64)}`;
    const { store } = daemon.core;
    store.tx((tx) => tx.run('UPDATE deployments SET image_id = ? WHERE id = ?', gone, first.id));
    const from = daemon.engine.controls.imageCalls.length;

    const path = `/api/apps/${production.reference}/rollback?wait=true`;
    const again = JSON.parse((await daemon.call('POST', path, { deployment: first.id })).text) as Deployment;

    assert.equal(again.status, 'succeeded', `${again.error}`);
    const { ports } = daemon.core.facts;
    const calls = daemon.engine.controls.imageCalls.slice(from);
    assert.deepEqual(
      [...new Set(calls.map(({ reference }) => reference))],
      [`localhost:${ports.registry}/${production.reference}@${digest}`],
    );
  });

  it('promotes an already promoted image from the second app to a third app', async () => {
    const { staging, production, digest } = await pair();
    await deploy(production.reference, { from: staging.reference });
    const third = await app(daemon, { source: 'registry', image: null, tag: 'none' });

    assert.equal((await deploy(third.reference, { from: production.reference })).status, 'succeeded');

    assert.equal(await has(third.reference, digest), true);
  });

  it('creates no repository for a target app that is deleted during the promotion', async () => {
    const { staging, production } = await pair();
    const { store } = daemon.core;
    const id = appIdOf(daemon, production.reference);
    const linked: string[] = [];
    const { link } = daemon.registry;
    daemon.registry.link = async (...args) => {
      linked.push(args[2]);
      return link.apply(daemon.registry, args);
    };
    daemon.registry.setUnavailable('The registry does not respond. Try again later.');
    try {
      const path = `/api/apps/${production.reference}/deploy?wait=true`;
      const deployed = daemon.call('POST', path, { from: staging.reference });
      await until('the deployment waits for the registry', async () => linked.length > 0);
      store.tx((tx) => {
        tx.run('DELETE FROM repositories WHERE name = ?', production.reference);
        tx.run('UPDATE apps SET deleted_at = 1 WHERE id = ?', id);
      });
      daemon.registry.setUnavailable(null);
      await deployed;
    } finally {
      daemon.registry.setUnavailable(null);
      daemon.registry.link = link;
    }

    assert.equal(repositoryByName(store, production.reference), undefined);
  });

  it('fails while the registry is unavailable, but earlier promoted apps can restart', inLong, async () => {
    const { staging, production } = await pair();
    await deploy(production.reference, { from: staging.reference });
    const other = await app(daemon, { source: 'registry', image: null, tag: 'none' });
    daemon.registry.setUnavailable('The registry does not respond. Try again later.');
    try {
      const refused = await deploy(other.reference, { from: staging.reference });
      assert.deepEqual([refused.status, /registry does not respond/.test(refused.error ?? '')], ['failed', true]);
      const { text } = await daemon.call('POST', `/api/apps/${production.reference}/restart?wait=true`, {});
      assert.equal(JSON.parse(text).status, 'succeeded');
    } finally {
      daemon.registry.setUnavailable(null);
    }
  });
});
