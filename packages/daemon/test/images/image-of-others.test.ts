/**
 * Tests that a project can use an image of another project only with access to its registry, even if the engine has the
 * image.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { bootDaemon, app as makeApp, project, type TestDaemon, user } from '@davit/testkit';
import { recordPulled } from '../../src/db/tables/pulled-image.ts';
import { FakeRegistry } from '../support/fake-registry.ts';

describe('an image pulled for another project', () => {
  let daemon: TestDaemon;
  let registry: FakeRegistry;
  let own: string;
  let other: string;
  let image: string;
  let member: string;

  before(async () => {
    daemon = await bootDaemon({ realRegistries: true });
    registry = await FakeRegistry.start();
    await daemon.client.patchSettings({ body: { registries: { private_hosts: [registry.host] } } });
    const wanted = `Basic ${Buffer.from('ada:secret').toString('base64')}`;
    registry.handler = ({ headers }, response) => {
      if (headers.authorization === wanted) return false;
      return !!response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end();
    };
    registry.add('acme/private', 'v1', 'bytes of another project');
    image = `${registry.host}/acme/private`;
    own = await project(daemon);
    await credentials(own);
    const first = await makeApp(daemon, { project: own, image });
    assert.equal((await deploy(first.reference, daemon.key)).status, 'succeeded');
    other = await project(daemon);
    member = user(daemon, 'member', [other]).key;
    for (const pull of ['missing', 'always', null]) await app(other, pull);
  });
  after(async () => {
    await registry[Symbol.asyncDispose]();
    await daemon[Symbol.asyncDispose]();
  });

  const references = new Map<string | null, string>();

  async function credentials(slug: string): Promise<void> {
    const body = { host: registry.host, username: 'ada', password: 'secret', projects: [slug] };
    assert.equal((await daemon.call('POST', '/api/registries', body)).status, 201);
  }

  async function app(slug: string, pull: string | null): Promise<void> {
    const name = `web-${pull ?? 'default'}`;
    const body = { project: slug, name, source: 'image', image, port: 8080, ...(pull && { pull }) };
    const { status, text } = await daemon.call('POST', '/api/apps', body, member);
    assert.equal(status, 201, text);
    references.set(pull, JSON.parse(text).reference);
  }

  function planned(reference: string, tag: string, key: string) {
    return daemon.call('POST', `/api/apps/${reference}/deploy?dry_run=true`, { tag }, key);
  }

  async function deploy(reference: string, key: string) {
    return JSON.parse((await daemon.call('POST', `/api/apps/${reference}/deploy?wait=true`, { tag: 'v1' }, key)).text);
  }

  for (const pull of ['missing', 'always', null]) {
    it(`is not deployed without access to its registry, with pull ${pull ?? 'unset'}`, async () => {
      const { status, error, error_code: code } = await deploy(references.get(pull) ?? '', member);

      assert.deepEqual([status, code], ['failed', 'registry_unauthorized']);
      assert.doesNotMatch(error, /Docker has|local image in Docker/, 'what others deployed is not said');
    });
  }

  for (const pull of ['missing', 'always', null]) {
    it(`has the same plan as a missing image, with pull ${pull ?? 'unset'}`, async () => {
      const reference = references.get(pull) ?? '';
      const { status, text } = await planned(reference, 'v1', member);
      const absent = await planned(reference, 'v0', member);

      assert.equal(status, 200, text);
      assert.match(text, new RegExp(`pull ${image}:v1`));
      assert.equal(text.replaceAll(':v1', ':v0'), absent.text);
    });
  }

  it('has the same plan as a missing image for a change of settings', async () => {
    const plans: string[] = [];
    for (const [name, of] of [
      ['there', image],
      ['nowhere', `${registry.host}/acme/nowhere`],
    ] as const) {
      const body = { project: other, name, source: 'image', image: of, tag: 'v1', port: 8080 };
      const made = await daemon.call('POST', '/api/apps', body, member);
      assert.equal(made.status, 201, made.text);
      const path = `/api/apps/${JSON.parse(made.text).reference}?dry_run=true&deploy=true`;
      const { status, text } = await daemon.call('PATCH', path, { port: 8081 }, member);
      assert.equal(status, 200, text);
      plans.push(text.replaceAll(of, 'IMAGE').replaceAll(name, 'NAME'));
    }

    assert.equal(plans[0], plans[1]);
    assert.match(plans[0] ?? '', /pull IMAGE:v1/);
  });

  it('has a plan without a pull for its own project', async () => {
    const second = await makeApp(daemon, { project: own, image });

    const { text } = await planned(second.reference, 'v1', daemon.key);

    assert.match(text, new RegExp(`use the local image ${image}:v1`));
  });

  it('is deployed without its registry only if built locally, not if pulled by another instance', async () => {
    const elsewhere = 'registry.invalid/acme/elsewhere';
    const { reference } = await makeApp(daemon, { image: elsewhere, pull: 'missing' });
    daemon.engine.controls.addImage(`${elsewhere}:v1`, { exposedPorts: [8080], isFromGateway: true });
    const { status, error_code: code } = await deploy(reference, daemon.key);
    assert.deepEqual([status, code], ['failed', 'registry_not_public'], 'its registry is asked');

    daemon.engine.controls.addImage(`${elsewhere}:v1`, { exposedPorts: [8080], digest: null });
    const built = await deploy(reference, daemon.key);
    assert.equal(built.status, 'succeeded', built.error);
  });

  it('is deployed again for its own project while the registry is unavailable', async () => {
    registry.handler = (_, response) => !!response.writeHead(503).end();
    const second = await makeApp(daemon, { project: own, image });

    const { status, error } = await deploy(second.reference, daemon.key);
    assert.equal(status, 'succeeded', error);
  });
});

it('does not deploy an image pulled manually on the server without access to its registry', async () => {
  await using daemon = await bootDaemon({ realRegistries: true });
  daemon.engine.controls.addImage('registry.invalid/acme/secret:v1', { exposedPorts: [8080] });
  const { reference } = await makeApp(daemon, { image: 'registry.invalid/acme/secret', pull: 'missing' });

  const { text } = await daemon.call('POST', `/api/apps/${reference}/deploy?wait=true`, { tag: 'v1' });

  const { status, error_code: code } = JSON.parse(text);
  assert.deepEqual([status, code], ['failed', 'registry_not_public'], 'its registry is asked');
});

it('refuses a local image left by an earlier project of the same name', async () => {
  await using daemon = await bootDaemon({ realRegistries: true });
  const image = `localhost:${daemon.core.facts.ports.registry}/bravo/production/secret`;
  await project(daemon, 'bravo');
  // `davit up` on the server leaves an image in this state: it was built there and pushed.
  daemon.engine.controls.addImage(`${image}:v1`, { exposedPorts: [8080], digest: null });
  const { reference } = await makeApp(daemon, { project: 'bravo', name: 'secret', image, pull: 'missing' });

  const { status, text } = await daemon.call('POST', `/api/apps/${reference}/deploy?wait=true`, { tag: 'v1' });

  assert.equal(status, 404, text);
  assert.match(text, /The registry of this instance has no image .*\. Set the source of the app to “registry”/);
});

it('does not deploy a local image under the name of another registry on the server', async () => {
  await using daemon = await bootDaemon({ realRegistries: true });
  daemon.engine.controls.addImage('localhost:5999/victim/production/web:v1', { exposedPorts: [8080] });
  const { reference } = await makeApp(daemon, { image: 'localhost:5999/victim/production/web' });

  const { text } = await daemon.call('POST', `/api/apps/${reference}/deploy?wait=true`, { tag: 'v1' });

  assert.equal(JSON.parse(text).status, 'failed', text);
});

describe('an engine image with a manifest name of the built-in registry', () => {
  let daemon: TestDaemon;
  before(async () => {
    daemon = await bootDaemon();
  });
  after(() => daemon[Symbol.asyncDispose]());

  /**
   * Deploys an app whose image is already at the engine.
   * @returns number of pulls of its deployments
   */
  async function pulls(note: (name: string) => void, deployments = 1): Promise<number> {
    const name = await pushed();
    note(name);
    return pullsOf(name, deployments);
  }

  /**
   * Creates an app whose image was pushed and is at the engine.
   * @returns the name of its manifest
   */
  async function pushed(): Promise<string> {
    const { reference } = await makeApp(daemon, { source: 'registry', image: null, port: 8080, tag: 'none' });
    const digest = daemon.registry.push(reference, 'v1');
    const name = `localhost:${daemon.core.facts.ports.registry}/${reference}@${digest}`;
    daemon.engine.controls.addImage(name, { exposedPorts: [8080] });
    return name;
  }

  async function pullsOf(name: string, deployments = 1): Promise<number> {
    const [, reference = ''] = /^[^/]+\/(.+)@/.exec(name) ?? [];
    const from = daemon.engine.controls.imageCalls.length;
    for (let times = 0; times < deployments; times++) {
      const { text } = await daemon.call('POST', `/api/apps/${reference}/deploy?wait=true`, { tag: 'v1' });
      assert.equal(JSON.parse(text).status, 'succeeded', text);
    }
    const calls = daemon.engine.controls.imageCalls.slice(from);
    return calls.filter(({ primitive }) => primitive === 'pullImage').length;
  }

  it('is not pulled again if the image was pushed from the server', async () => {
    assert.equal(await pulls(() => undefined, 2), 0);
  });

  it('is pulled again once if an earlier pull was interrupted', async () => {
    const { store } = daemon.core;
    const note = (image_id: string | null) => (reference: string) =>
      store.tx((tx) => recordPulled(tx, { reference, image_id }, Date.now()));
    assert.equal(await pulls(note(null), 2), 1);
    assert.equal(await pulls(note(`sha256:${'1'.repeat(64)}`)), 1);
  });

  it('is pulled again after an interrupted pull and a collection with forget_pulled disabled', async () => {
    const { store } = daemon.core;
    await daemon.client.patchSettings({ body: { images: { forget_pulled: false } } });
    const name = await pushed();
    store.tx((tx) => recordPulled(tx, { reference: name, image_id: null }, Date.now()));

    await daemon.client.collectImages({ query: { dry_run: 'false' } });

    assert.equal(await pullsOf(name), 1);
  });
});
