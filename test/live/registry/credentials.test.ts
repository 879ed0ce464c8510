/**
 * Rights of the engine's credentials for an app in a real registry: they allow pulls of the app's own and promoted
 * images only.
 */

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createClient, type Deployment } from '@davit/api';
import { until } from '@davit/testkit/waiting';
import Docker from 'dockerode';
import { RegistryKeys } from '../../../packages/daemon/src/auth/registry-keys.ts';
import { openState } from '../../../packages/daemon/src/composition/state.ts';
import { appBySlugs } from '../../../packages/daemon/src/db/tables/app.ts';
import { type Instance, startInstance } from '../../support/instance.ts';
import { whyNoEngine } from '../../support/live-harness.ts';
import { tagImage } from '../../support/live-images.ts';
import { RegistryClients } from '../../support/registry-clients.ts';
import { RawRegistry } from '../../support/registry-raw.ts';

const SECRET = 'bravo/production/secret';
const STAGING = 'alpha/staging/site';
const PRODUCTION = 'alpha/production/site';

interface Credential {
  username: string;
  password: string;
}

describe('the engine’s registry credentials', { skip: whyNoEngine() ?? false, concurrency: 1 }, () => {
  const docker = new Docker();
  let instance: Instance;
  let admin: RawRegistry;
  let clients: RegistryClients;
  let folder = '';
  /** Credentials by the reference of the app. */
  let credentials: Record<string, Credential> = {};
  /** Digests of the promoted release, and of the release after it. */
  let promoted = '';
  let next = '';

  before(async () => {
    instance = await startInstance();
    clients = await RegistryClients.create();
    folder = await mkdtemp(join(tmpdir(), 'davit-credentials-'));
    const { client, registryPort, url, key } = instance;
    admin = new RawRegistry({ registry: `http://127.0.0.1:${registryPort}`, api: url }, 'admin', key);
    for (const slug of ['alpha', 'bravo']) await client.createProject({ body: { slug } });
    await client.createEnvironment({ params: { project: 'alpha' }, body: { slug: 'staging' } });
    for (const reference of [SECRET, STAGING, PRODUCTION]) {
      const [project = '', environment = '', name = ''] = reference.split('/');
      // The tag is pinned, because the test deploys pushes manually.
      const settings = { source: 'registry' as const, port: 8080, tag: 'none' };
      await client.createApp({ body: { project, environment, name, ...settings } });
    }
    await until('the registry answers', async () => {
      const answer = await admin.ask({ path: '/v2/' }).catch(() => null);
      return answer?.status === 401 ? true : null;
    });
    for (const tag of ['v1', 'v2'] as const) await push(STAGING, tag);
    await push(SECRET, 'two-ports');
    assert.equal((await deploy(STAGING, { tag: 'v1' })).status, 'succeeded');
    const answer = await deploy(PRODUCTION, { from: STAGING });
    assert.equal(answer.status, 'succeeded', `${answer.error}`);
    promoted = answer.digest ?? '';
    next = await digestOf(STAGING, 'v2');
    credentials = await credentialsOf(instance, [SECRET, STAGING, PRODUCTION]);
  });
  after(async () => {
    await clients?.[Symbol.asyncDispose]();
    await instance?.[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  const paramsOf = (reference: string) => {
    const [project = '', environment = '', app = ''] = reference.split('/');
    return { project, environment, app };
  };

  async function push(repository: string, tag: 'v1' | 'v2' | 'two-ports'): Promise<void> {
    const to = ['--dest-tls-verify=false', '--dest-creds', `admin:${instance.key}`];
    const from = `docker-daemon:${await tagImage(docker, tag)}`;
    const ran = await clients.skopeo(['copy', '-q', ...to, from, `docker://${hostOf(instance)}/${repository}:${tag}`]);
    assert.equal(ran.exitCode, 0, ran.output);
  }

  const deploy = (reference: string, body: { tag: string } | { from: string }) =>
    instance.client.deployApp({ params: paramsOf(reference), query: { wait: 'true' }, body }) as Promise<Deployment>;

  async function digestOf(repository: string, tag: string): Promise<string> {
    const answer = await admin.manifest(repository, tag, await admin.token(`repository:${repository}:pull`));
    return answer.headers.get('docker-content-digest') ?? '';
  }

  /**
   * Copies an image with its layers from the registry, like the client of the engine.
   * @returns whether the copy succeeded
   */
  async function pulls(reference: string, repository: string, what: string): Promise<boolean> {
    const { username, password } = credentials[reference] ?? assert.fail();
    const from = ['--src-tls-verify=false', '--src-creds', `${username}:${password}`];
    const image = `docker://${hostOf(instance)}/${repository}${what}`;
    const ran = await clients.skopeo(['copy', '-q', ...from, image, `dir:${await mkdtemp(join(folder, 'image-'))}`]);
    return ran.exitCode === 0;
  }

  it('allow an app to pull its own images and images promoted to the app', async () => {
    assert.equal(await pulls(STAGING, STAGING, ':v1'), true);
    assert.equal(await pulls(STAGING, STAGING, ':v2'), true);
    assert.equal(await pulls(PRODUCTION, PRODUCTION, `@${promoted}`), true);
  });

  it('refuse pulls of releases that were not promoted and images of other apps', async () => {
    const secret = await digestOf(SECRET, 'two-ports');
    assert.equal(await pulls(PRODUCTION, PRODUCTION, `@${next}`), false);
    assert.equal(await pulls(PRODUCTION, STAGING, `@${promoted}`), false);
    assert.equal(await pulls(PRODUCTION, STAGING, ':v2'), false);
    assert.equal(await pulls(STAGING, PRODUCTION, `@${promoted}`), false);
    for (const app of [STAGING, PRODUCTION]) {
      assert.equal(await pulls(app, SECRET, ':two-ports'), false);
      assert.equal(await pulls(app, SECRET, `@${secret}`), false);
      assert.equal(await pulls(app, app, `@${secret}`), false);
    }
    // No part of this image was ever deployed.
    assert.equal(await pulls(SECRET, SECRET, ':two-ports'), false);
  });

  it('do not let a member deploy an image of a hidden project in any spelling', async () => {
    const { password } = await instance.client.createUser({
      body: { username: 'bob', role: 'member', projects: ['alpha'] },
    });
    assert.ok(password !== undefined);
    const member = createClient({ url: instance.url, key: await keyOf(instance, 'bob', password) });
    const params = paramsOf(PRODUCTION);
    const port = instance.registryPort;
    for (const host of [`LOCALHOST:${port}`, `localhost:0${port}`, `LocalHost:00${port}`, `127.0.0.1:${port}`]) {
      await member.patchApp({ params, body: { source: 'image', image: `${host}/${SECRET}`, pull: 'always' } });
      await assert.rejects(
        async () => member.deployApp({ params, query: { wait: 'true' }, body: { tag: 'two-ports' } }),
        /belongs to another app/,
        host,
      );
    }
    const tags = (await docker.listImages()).flatMap(({ RepoTags, RepoDigests }) => [RepoTags, RepoDigests].flat());
    assert.deepEqual(
      tags.filter((tag) => tag?.includes(`${port}/${SECRET}`)),
      [],
    );
  });

  it('end with their app, but not with the source app of a promoted image', async () => {
    await instance.client.deleteApp({ params: paramsOf(STAGING) });
    assert.equal(await pulls(STAGING, STAGING, ':v1'), false);
    assert.equal(await pulls(PRODUCTION, PRODUCTION, `@${promoted}`), true);
    await instance.client.deleteApp({ params: paramsOf(PRODUCTION) });
    assert.equal(await pulls(PRODUCTION, PRODUCTION, `@${promoted}`), false);
  });
});

function hostOf({ registryPort }: Instance): string {
  return `localhost:${registryPort}`;
}

/** Reads the credentials from the instance's database while the instance is stopped. */
async function credentialsOf(instance: Instance, references: string[]): Promise<Record<string, Credential>> {
  await instance.stop();
  try {
    using state = openState({ dataDir: instance.dataDir, masterKeyFile: `${instance.dataDir}/master.key` });
    const keys = new RegistryKeys({ davitId: state.id, store: state.store, sealer: state.sealer, now: Date.now });
    const ofApp = (reference: string) => {
      const [project = '', environment = '', name = ''] = reference.split('/');
      return keys.appCredential(appBySlugs(state.store, project, environment, name)?.id ?? 0);
    };
    return Object.fromEntries(references.map((reference) => [reference, ofApp(reference)]));
  } finally {
    await instance.start();
  }
}

async function keyOf({ url }: Instance, username: string, password: string): Promise<string> {
  const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
  const login = { method: 'POST', headers, body: JSON.stringify({ username, password }) };
  const cookie = (await fetch(`${url}/api/auth/login`, login)).headers.get('set-cookie')?.split(';')[0] ?? '';
  const made = { method: 'POST', headers: { ...headers, cookie }, body: '{"name":"test"}' };
  return ((await (await fetch(`${url}/api/users/me/api-keys`, made)).json()) as { key: string }).key;
}
