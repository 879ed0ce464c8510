/** All spellings of an image that a user may not use, in all requests that lead to a deployment. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { type App, canonicalReference, familiarReference } from '@davit/api';
import { type Answer, app, bootDaemon, deployedApp, paramsOf, project, type TestDaemon, user } from '@davit/testkit';
import { hubSpellings, imageIdSpellings, ownImageSpellings } from '@davit/testkit/image-spellings';
import { IS_LONG, inLong, partOf } from '../../../../test/support/tiers.ts';
import { registryAuthFor } from '../../src/image-references/credentials.ts';
import { appIdOf } from '../support/registry-setup.ts';

const SECRET = 'bravo/production/secret';
const HELD = 'davit-a1b2c3d4/bravo/production/secret';

describe('an image of a project hidden from the member', () => {
  let daemon: TestDaemon;
  /** API key of a member of only `alpha`. */
  let member = '';
  let web: App;
  let staging: App;
  let digest = '';
  /** Spellings of the secret image, and of the images of releases of all projects. */
  let spellings: string[] = [];
  /** Index of the first engine call that a case checks. */
  let seen = 0;

  before(async () => {
    daemon = await bootDaemon();
    for (const name of ['alpha', 'bravo']) await project(daemon, name);
    await daemon.client.createEnvironment({ params: { project: 'alpha' }, body: { slug: 'staging' } });
    // The tag is pinned, so that a push that is found later does not deploy it.
    const secret = await app(daemon, { project: 'bravo', name: 'secret', source: 'registry', image: null, tag: 'v0' });
    digest = daemon.registry.push(secret.reference, 'v1');
    web = await app(daemon, { project: 'alpha', name: 'web' });
    ({ app: staging } = await deployedApp(daemon, { project: 'alpha', name: 'web', environment: 'staging' }));
    member = user(daemon, 'member', ['alpha']).key;
    const { ports, domain } = daemon.core.facts;
    const own = ownImageSpellings({ port: ports.registry, domain, repository: SECRET });
    spellings = [...own, ...hubSpellings(HELD), ...imageIdSpellings()];
    assert.ok(own.length >= 2_000, `${own.length} spellings`);
  });
  after(() => daemon[Symbol.asyncDispose]());
  beforeEach(() => {
    seen = daemon.engine.controls.imageCalls.length;
  });

  const call = (method: string, path: string, body: object) => daemon.call(method, path, body, member);
  const deploy = (of: App, body: object) => call('POST', `/api/apps/${of.reference}/deploy?wait=true`, body);

  /** Checks that the engine got none of these names, only canonical names, and no credentials of another app. */
  function assertNothingReached(why: string): void {
    for (const { reference, auth } of daemon.engine.controls.imageCalls.slice(seen)) {
      assert.doesNotMatch(
        reference,
        /secret|^davit-|sha(256|384|512)(:|$)(?!.{64})/,
        `${why}: the engine got ${reference}`,
      );
      const parsed = canonicalReference(reference);
      assert.equal(parsed && familiarReference(parsed), reference, why);
      if (!auth?.username.startsWith('davit/')) continue;
      assert.match(reference, /^localhost:\d+\/alpha\//, why);
      assert.ok(daemon.core.registryKeys.appOfCredential(auth) === appIdOf(daemon, web.reference), why);
    }
    seen = daemon.engine.controls.imageCalls.length;
  }

  function assertRefused({ status, text }: Answer, why: string): void {
    assert.ok(status < 500, `${why}: ${status} ${text}`);
    if (status === 200) assert.notEqual(JSON.parse(text).status, 'succeeded', why);
    assert.doesNotMatch(text, /"status":"succeeded"/, why);
  }

  /**
   * Sets the image through the API, and deploys it if it was accepted.
   * @returns whether it was accepted
   */
  async function setAndDeploy(image: string, settings: object): Promise<boolean> {
    const why = JSON.stringify(image);
    const set = await call('PATCH', `/api/apps/${web.reference}`, { image, ...settings });
    assert.ok(set.status === 200 || set.status === 400, `${why}: ${set.status} ${set.text}`);
    // Tags of hexadecimal digits: with the name `sha256` the engine interprets them as the start of an image id.
    if (set.status === 200) for (const tag of ['v1', '58']) assertRefused(await deploy(web, { tag }), why);
    assertNothingReached(why);
    return set.status === 200;
  }

  it('is not deployed under any spelling of its name', async () => {
    let taken = 0;
    for (const image of partOf(spellings, 0, 15)) if (await setAndDeploy(image, {})) taken += 1;
    assert.ok(taken >= (IS_LONG ? 600 : 40), `only ${taken} spellings passed the check of the field`);
  });

  it('is not deployed by an app with pull set to always', async () => {
    for (const image of partOf(spellings, 0, 35)) await setAndDeploy(image, { pull: 'always' });
    await daemon.client.patchApp({ params: paramsOf(web), body: { image: 'example/web', pull: null } });
  });

  it('is not deployed by settings stored by an earlier version', async () => {
    const { store } = daemon.core;
    const id = appIdOf(daemon, web.reference);
    for (const pull of ['missing', 'always'])
      for (const image of partOf(spellings, pull.length, 35)) {
        store.tx((tx) => {
          for (const [table, key] of [
            ['apps', 'id'],
            ['revisions', 'app_id'],
          ]) {
            const sql = `UPDATE ${table} SET spec = json_set(spec, '$.image', ?, '$.pull', ?) WHERE ${key} = ?`;
            tx.run(sql, image, pull, id);
          }
        });
        assertRefused(await deploy(web, { tag: 'v1' }), image);
        assertRefused(await deploy(web, { tag: '58' }), image);
        assertNothingReached(image);
      }
    await daemon.client.patchApp({ params: paramsOf(web), body: { image: 'example/web', pull: null } });
  });

  it('is not promoted, restarted or rolled back to from deployments of an earlier version', async () => {
    const { store, registry } = daemon.core;
    const live = (await daemon.client.getApp({ params: paramsOf(staging) })).live_deployment ?? 0;
    const missing = `sha256:${'e'.repeat(64)}`;
    const images = partOf(spellings, 1, 75);
    for (const image of images) {
      store.tx((tx) =>
        tx.run(
          'UPDATE deployments SET image = ?, digest = ?, image_id = ? WHERE id = ?',
          `${image}:v1`,
          digest,
          missing,
          live,
        ),
      );
      assertRefused(await deploy(web, { from: staging.reference }), image);
      assertRefused(
        await call('POST', `/api/apps/${staging.reference}/rollback?wait=true`, { deployment: live }),
        image,
      );
      assertRefused(await call('POST', `/api/apps/${staging.reference}/restart?wait=true`, {}), image);
      for (const reference of [web.reference, staging.reference]) {
        assert.equal(await registry.digestOf(reference, digest), null, `${image} is in the repository of ${reference}`);
      }
    }
    for (const { reference, auth } of daemon.engine.controls.imageCalls.slice(seen)) {
      assert.doesNotMatch(reference, /secret|^davit-/, reference);
      if (auth?.username.startsWith('davit/')) assert.match(reference, /\/alpha\//);
    }
  });

  it('is not deployed by a template installation', async () => {
    const install = (key: string, image: string) => {
      const file = [
        'version: 1',
        'name: Notes',
        'project: notes',
        'minCubeship: ">=0.9.0"',
        'minVersion: ">=0.1.0"',
        `apps: [{key: ${key}, image: ${JSON.stringify(image)}, tag: "58", port: 8080}]`,
        '',
      ].join('\n');
      return daemon.call('POST', '/api/template-installs?wait=true', { source: { file }, project: 'alpha' });
    };
    const allowed = await install('own', 'registry.test/acme/web');
    assert.match(allowed.text, /"status":"succeeded"/);

    for (const [index, image] of partOf(spellings, 2, 75).entries()) {
      assertRefused(await install(`a${index}`, image), image);
      assertNothingReached(image);
    }
  });

  it('is not pulled with stored credentials, and credentials for its registry are refused', async () => {
    const { core } = daemon;
    const id = appIdOf(daemon, web.reference);
    const account = { username: 'admin', password: 'an-admins-own-key' };
    for (const image of partOf(spellings, 3, 10)) {
      const host = image.slice(0, image.lastIndexOf(`/${SECRET}`));
      const { status, text } = await daemon.call('POST', '/api/registries?check=false', { host, ...account });
      const isHub = status === 201 && JSON.parse(text).host === 'docker.io';
      assert.ok(status === 400 || isHub || status === 409, `${JSON.stringify(host)}: ${status} ${text}`);
      const auth = registryAuthFor(core, `${image}:v1`, { appId: id, projectId: null });
      const isOther = auth === null || core.registryKeys.appOfCredential(auth) === id;
      assert.ok(isOther || canonicalReference(`${image}:v1`)?.host === 'docker.io', image);
    }
  });

  it('is not pulled with registry credentials stored by an earlier version', inLong, () => {
    const { core } = daemon;
    const id = appIdOf(daemon, web.reference);
    for (const image of spellings) {
      const host = image.slice(0, Math.max(0, image.lastIndexOf(`/${SECRET}`))).toLowerCase();
      const sql = `INSERT OR REPLACE INTO registries (host, all_projects, username, password, created_at, updated_at) VALUES (?, 1, 'admin', 'sealed', 0, 0)`;
      if (host !== '') core.store.tx((tx) => tx.run(sql, host));
      const auth = host === '' ? null : registryAuthFor(core, `${image}:v1`, { appId: id, projectId: null });
      assert.ok(auth === null || core.registryKeys.appOfCredential(auth) === id, image);
    }
    core.store.tx((tx) => tx.run('DELETE FROM registries'));
  });
});

describe('an allowed image', () => {
  let daemon: TestDaemon;
  before(async () => {
    daemon = await bootDaemon();
  });
  after(() => daemon[Symbol.asyncDispose]());

  it('reaches the engine under one name for every spelling of another registry', async () => {
    const web = await app(daemon);
    for (const [image, stored] of [
      ['GHCR.io:0443/acme/web', 'ghcr.io/acme/web'],
      ['docker.io/library/nginx', 'nginx'],
      ['Index.Docker.io/acme/web', 'acme/web'],
      ['registry.example:05000/acme/web', 'registry.example:5000/acme/web'],
    ] as const) {
      const set = (await daemon.client.patchApp({ params: paramsOf(web), body: { image } })) as App;
      assert.equal(set.image, stored);
      const from = daemon.engine.controls.imageCalls.length;
      const { status } = await daemon.call('POST', `/api/apps/${web.reference}/deploy?wait=true`, { tag: 'v1' });
      assert.equal(status, 200);
      const calls = daemon.engine.controls.imageCalls.slice(from);
      assert.deepEqual([...new Set(calls.map(({ reference }) => reference))], [`${stored}:v1`]);
      assert.ok(calls.some(({ primitive }) => primitive === 'pullImage'));
    }
  });

  it('is pulled with the credentials of its app under every name of the built-in registry', async () => {
    const { ports, domain } = daemon.core.facts;
    const web = await app(daemon);
    const own = `localhost:${ports.registry}/${web.reference}`;
    for (const host of [`LOCALHOST:0${ports.registry}`, `127.0.0.1:${ports.registry}`, `REGISTRY.${domain}:443`]) {
      await daemon.client.patchApp({
        params: paramsOf(web),
        body: { image: `${host}/${web.reference}`, pull: 'always' },
      });
      const digest = daemon.registry.push(web.reference, 'v1', `pushed as ${host}`);
      const from = daemon.engine.controls.imageCalls.length;
      const { text } = await daemon.call('POST', `/api/apps/${web.reference}/deploy?wait=true`, { tag: 'v1' });
      assert.deepEqual([JSON.parse(text).status, JSON.parse(text).image], ['succeeded', `${own}:v1`], text);
      const calls = daemon.engine.controls.imageCalls.slice(from);
      assert.deepEqual([...new Set(calls.map(({ reference }) => reference))], [`${own}@${digest}`]);
      const { auth } = calls.find((one) => one.auth !== null) ?? assert.fail();
      assert.equal(auth && daemon.core.registryKeys.appOfCredential(auth), appIdOf(daemon, web.reference));
    }
  });
});
