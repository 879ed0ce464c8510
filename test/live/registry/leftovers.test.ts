/** Contents that a deleted app left in a real registry, when another team now has an app with the same name. */

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { until } from '@davit/testkit/waiting';
import { type Instance, startInstance } from '../../support/instance.ts';
import { whyNoEngine } from '../../support/live-harness.ts';
import { RawRegistry } from '../../support/registry-raw.ts';

const REPOSITORY = 'shop/production/web';
const APP = { project: 'shop', environment: 'production', app: 'web' };
const SECRET = Buffer.from('what the first team wrote');

describe('an app with the name of a deleted app', { skip: whyNoEngine() ?? false }, () => {
  let instance: Instance;
  let raw: RawRegistry;
  before(async () => {
    instance = await startInstance();
    const { registryPort, url, key } = instance;
    raw = new RawRegistry({ registry: `http://127.0.0.1:${registryPort}`, api: url }, 'admin', key);
    await until('the registry answers', async () => {
      const answer = await raw.ask({ path: '/v2/' }).catch(() => null);
      return answer?.status === 401 ? true : null;
    });
    await instance.client.createProject({ body: { slug: 'shop' } });
    await create();
  });
  after(async () => {
    await instance?.[Symbol.asyncDispose]();
  });

  /** Creates the app with a pinned tag, because the test is not about deployments. */
  const create = () =>
    instance.client.createApp({ body: { project: 'shop', name: 'web', source: 'registry', port: 8080, tag: 'none' } });
  const token = (actions: string) => raw.token(`repository:${REPOSITORY}:${actions}`);
  /** Resolves when a push token is issued. */
  const letIn = () =>
    until('pushes are taken', () =>
      token('pull,push').catch((error: Error) => {
        assert.match(error.message, /are being removed\. Push again in a moment|accepts no pushes while/);
        return null;
      }),
    );

  it('cannot read contents that the deleted app pushed', async () => {
    const old = await token('pull,push');
    const digest = await raw.putBlob(REPOSITORY, SECRET, old);
    const blob = `/v2/${REPOSITORY}/blobs/${digest}`;
    assert.equal((await raw.ask({ path: blob, token: old })).status, 200);

    await instance.client.deleteApp({ params: APP });
    await create();
    const early = await raw.ask({ path: blob, token: await token('pull') });
    const now = await letIn();
    const late = await raw.ask({ path: blob, token: now });
    const mount = `/v2/${REPOSITORY}/blobs/uploads/?mount=${digest}&from=${REPOSITORY}`;
    const mounted = await raw.ask({ method: 'POST', path: mount, token: now });

    assert.ok([401, 404].includes(early.status), early.text);
    assert.deepEqual([late.status, mounted.status], [404, 202]);
    await raw.putBlob(REPOSITORY, Buffer.from('what the second team wrote'), now);
  });

  it('in a new project gets no access while old tokens may still be valid', async () => {
    const old = await token('pull,push');
    const digest = await raw.putBlob(REPOSITORY, SECRET, old);
    await instance.client.deleteApp({ params: APP });
    await instance.client.deleteProject({ params: { project: 'shop' } });
    await until('the name is free', () => instance.client.createProject({ body: { slug: 'shop' } }).catch(() => null));
    await create();

    await assert.rejects(token('pull,push'), /are being removed\. Push again in a few minutes/);
    const answer = await raw.ask({ path: `/v2/${REPOSITORY}/blobs/${digest}`, token: await token('pull') });
    assert.equal(answer.status, 401);
  });
});
