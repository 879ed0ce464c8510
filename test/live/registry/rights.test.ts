/** Rights in a real registry, tested with manual requests like those of an attacker. */

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { until } from '@davit/testkit/waiting';
import Docker from 'dockerode';
import { RegistryKeys } from '../../../packages/daemon/src/auth/registry-keys.ts';
import { openState } from '../../../packages/daemon/src/composition/state.ts';
import { readSetting } from '../../../packages/daemon/src/db/tables/settings.ts';
import { type Forger, forgedTokens, privateKey, rightToken } from '../../support/forged-tokens.ts';
import { type Instance, startInstance } from '../../support/instance.ts';
import { whyNoEngine } from '../../support/live-harness.ts';
import { tagImage } from '../../support/live-images.ts';
import { RegistryClients } from '../../support/registry-clients.ts';
import { RawRegistry } from '../../support/registry-raw.ts';
import { inLong } from '../../support/tiers.ts';

const MINE = 'mine/production/web';
const THEIRS = 'theirs/production/web';

describe('access rights in the registry of an instance', { skip: whyNoEngine() ?? false }, () => {
  let instance: Instance;
  let forger: Forger;
  /** User with access to both projects. */
  let admin: RawRegistry;
  /** Users with access to one project, one for each role. */
  let member: RawRegistry;
  let viewer: RawRegistry;
  /** Digests of the other project's image. */
  const theirs = { manifest: '', layer: '', config: '' };
  let url = '';

  before(async () => {
    instance = await startInstance();
    url = `http://127.0.0.1:${instance.registryPort}`;
    const { client } = instance;
    for (const slug of ['mine', 'theirs']) {
      await client.createProject({ body: { slug } });
      // The tag is pinned, because the test is not about deployments.
      const settings = { name: 'web', source: 'registry' as const, port: 8080, tag: 'none' };
      await client.createApp({ body: { project: slug, ...settings } });
    }
    admin = as('admin', instance.key);
    member = as('bob', await keyOf('bob', 'member'));
    viewer = as('eve', await keyOf('eve', 'viewer'));
    await until('the registry answers', async () => {
      const answer = await admin.ask({ path: '/v2/' }).catch(() => null);
      return answer?.status === 401 ? true : null;
    });
    for (const repository of [MINE, THEIRS]) await copy(repository, repository === MINE ? 'v1' : 'v2');
    await learnTheirs();
    forger = await forgerOf(instance);
  });
  after(async () => {
    await instance?.[Symbol.asyncDispose]();
  });

  const as = (username: string, key: string) => new RawRegistry({ registry: url, api: instance.url }, username, key);

  /** Returns the API key of a new user whose only project is `mine`. */
  async function keyOf(username: string, role: 'viewer' | 'member'): Promise<string> {
    const { password } = await instance.client.createUser({ body: { username, role, projects: ['mine'] } });
    const json = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
    const login = await fetch(`${instance.url}/api/auth/login`, {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ username, password }),
    });
    const cookie = login.headers.get('set-cookie')?.split(';')[0] ?? '';
    const made = await fetch(`${instance.url}/api/users/me/api-keys`, {
      method: 'POST',
      headers: { ...json, cookie },
      body: '{"name":"test"}',
    });
    return ((await made.json()) as { key: string }).key;
  }

  async function copy(repository: string, tag: 'v1' | 'v2'): Promise<void> {
    await using clients = await RegistryClients.create();
    const image = await tagImage(new Docker(), tag);
    const to = ['--dest-tls-verify=false', '--dest-creds', `admin:${instance.key}`];
    const ran = await clients.skopeo([
      'copy',
      '-q',
      ...to,
      `docker-daemon:${image}`,
      `docker://localhost:${instance.registryPort}/${repository}:v1`,
    ]);
    assert.equal(ran.exitCode, 0, ran.output);
  }

  async function learnTheirs(): Promise<void> {
    const answer = await admin.manifest(THEIRS, 'v1', await admin.token(`repository:${THEIRS}:pull`));
    const { config, layers } = JSON.parse(answer.text);
    Object.assign(theirs, {
      manifest: answer.headers.get('docker-content-digest'),
      config: config.digest,
      layer: layers.at(-1).digest,
    });
  }

  it('refuse every request without a token', async () => {
    const digest = theirs.layer;
    for (const [method, path] of [
      ['GET', '/v2/'],
      ['GET', '/v2/_catalog'],
      ['GET', `/v2/${MINE}/tags/list`],
      ['GET', `/v2/${MINE}/manifests/v1`],
      ['HEAD', `/v2/${MINE}/manifests/v1`],
      ['PUT', `/v2/${MINE}/manifests/v1`],
      ['DELETE', `/v2/${MINE}/manifests/${digest}`],
      ['GET', `/v2/${MINE}/blobs/${digest}`],
      ['HEAD', `/v2/${MINE}/blobs/${digest}`],
      ['DELETE', `/v2/${MINE}/blobs/${digest}`],
      ['POST', `/v2/${MINE}/blobs/uploads/`],
      ['POST', `/v2/${MINE}/blobs/uploads/?mount=${digest}&from=${THEIRS}`],
      ['GET', `/v2/${MINE}/blobs/uploads/x`],
      ['PATCH', `/v2/${MINE}/blobs/uploads/x`],
      ['PUT', `/v2/${MINE}/blobs/uploads/x?digest=${digest}`],
      ['DELETE', `/v2/${MINE}/blobs/uploads/x`],
    ] as const) {
      const { status, headers } = await admin.ask({ method, path });
      assert.ok(status === 401 || (status === 404 && path.includes('uploads/x')), `${method} ${path}: ${status}`);
      if (status === 401)
        assert.match(headers.get('www-authenticate') ?? '', /^Bearer realm="http:.*\/v2\/token",service="davit"/);
    }
  });

  it('hide another project’s images from members and viewers, also by digest', async () => {
    for (const who of [member, viewer]) {
      const tokens = [
        await who.token(`repository:${MINE}:pull`),
        await who.token(`repository:${THEIRS}:pull`),
        await who.token('repository:*:pull'),
      ];
      for (const token of tokens) {
        for (const repository of [THEIRS, MINE]) {
          const isRefused = repository === THEIRS || token !== tokens[0];
          const wanted = isRefused ? [401] : [404];
          const responses = [
            await who.manifest(repository, theirs.manifest, token),
            await who.ask({ path: `/v2/${repository}/blobs/${theirs.layer}`, token }),
            await who.ask({ path: `/v2/${repository}/blobs/${theirs.config}`, token }),
          ];
          // Both images may share one layer, to which the user has access.
          const answers = responses.filter((_, i) => i !== 1 || isRefused);
          for (const { status } of answers) assert.ok(wanted.includes(status), `${repository}: ${status}`);
        }
      }
    }
  });

  it('allow a layer mount only to users with access to both repositories', async () => {
    const mount = (token: string, who: RawRegistry) =>
      who.ask({ method: 'POST', path: `/v2/${MINE}/blobs/uploads/?mount=${theirs.config}&from=${THEIRS}`, token });
    const both = (who: RawRegistry) => who.token(`repository:${MINE}:pull,push`, `repository:${THEIRS}:pull`);

    assert.notEqual((await mount(await both(member), member)).status, 201);
    assert.notEqual((await mount(await member.token(`repository:${MINE}:pull,push`), member)).status, 201);
    assert.equal((await mount(await both(viewer), viewer)).status, 401);
    const ofMine = await member.token(`repository:${MINE}:pull`);
    assert.equal((await member.ask({ path: `/v2/${MINE}/blobs/${theirs.config}`, token: ofMine })).status, 404);
    assert.equal((await mount(await both(admin), admin)).status, 201);
  });

  it('allow no user to delete images or list all repositories', async () => {
    for (const who of [admin, member, viewer]) {
      const token = await who.token(`repository:${MINE}:pull,push,delete,*`, 'registry:catalog:*');
      const own = (await who.manifest(MINE, 'v1', token)).headers.get('docker-content-digest');
      for (const path of [
        `/v2/${MINE}/manifests/${own}`,
        `/v2/${MINE}/manifests/v1`,
        `/v2/${MINE}/blobs/${theirs.layer}`,
      ]) {
        assert.equal((await who.ask({ method: 'DELETE', path, token })).status, 401, path);
      }
      assert.equal((await who.ask({ path: '/v2/_catalog', token })).status, 401);
      assert.equal((await who.manifest(MINE, 'v1', token)).status, 200);
    }
  });

  it('allow a viewer to pull but not to push', inLong, async () => {
    const token = await viewer.token(`repository:${MINE}:pull,push`);
    assert.equal((await viewer.manifest(MINE, 'v1', token)).status, 200);
    assert.equal((await viewer.ask({ method: 'POST', path: `/v2/${MINE}/blobs/uploads/`, token })).status, 401);
    assert.equal(
      (await viewer.ask({ method: 'PUT', path: `/v2/${MINE}/manifests/v9`, token, body: '{}' })).status,
      401,
    );
  });

  it('refuse every kind of forged token', async () => {
    const ask = (token: string) => admin.manifest(MINE, 'v1', token);
    assert.equal((await ask(rightToken(forger))).status, 200);
    const tokens = forgedTokens(forger);
    assert.ok(Object.keys(tokens).length >= 29);
    for (const [name, token] of Object.entries(tokens)) {
      const { status } = await ask(token);
      assert.ok(status === 401 || status === 400, `${name}: ${status}`);
    }
  });

  it('refuse token requests by form POST with 405 and accept GET', inLong, async () => {
    const form = await fetch(`${instance.url}/v2/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' },
      body: new URLSearchParams({
        grant_type: 'password',
        service: 'davit',
        client_id: 'containerd-client',
        scope: `repository:${MINE}:pull`,
        username: 'admin',
        password: instance.key,
      }),
    });
    assert.equal(form.status, 405);
    assert.match(form.headers.get('allow') ?? '', /GET/);
    const token = await admin.token(`repository:${MINE}:pull`);
    assert.equal((await admin.manifest(MINE, 'v1', token)).status, 200);
  });
});

/** Reads the instance's own key from its database while the instance is stopped. */
async function forgerOf(instance: Instance): Promise<Forger> {
  await instance.stop();
  try {
    using state = openState({ dataDir: instance.dataDir, masterKeyFile: `${instance.dataDir}/master.key` });
    const keys = new RegistryKeys({ davitId: state.id, store: state.store, sealer: state.sealer, now: Date.now });
    const token = keys.token('admin', [{ repository: MINE, actions: ['pull'] }]);
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    const name = 'registry.signing-key';
    const { key } = JSON.parse(state.sealer.open(readSetting(state.store, name) ?? '', name)) as { key: string };
    return { key: privateKey(key), certificate: keys.certificate(), claims };
  } finally {
    await instance.start();
  }
}
