/** Push clients with a whole instance. Each push causes a deployment. */

import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import type { Deployment } from '@davit/api';
import { until } from '@davit/testkit/waiting';
import Docker from 'dockerode';
import { customImage } from '../../support/docker-images.ts';
import { type AppParams, type Instance, startInstance } from '../../support/instance.ts';
import { whyNoEngine } from '../../support/live-harness.ts';
import { send } from '../../support/proxy-load.ts';
import { RegistryClients } from '../../support/registry-clients.ts';
import { RawRegistry } from '../../support/registry-raw.ts';
import { inLong } from '../../support/tiers.ts';

const SERVE = 'CMD ["sh", "-c", "exec httpd -f -p $PORT -h /www"]';

describe('a push to an instance', { skip: whyNoEngine() ?? false }, () => {
  const docker = new Docker();
  const run = randomBytes(3).toString('hex');
  const built = new Set<string>();
  let instance: Instance;
  let clients: RegistryClients;
  let host: string;

  before(async () => {
    instance = await startInstance();
    clients = await RegistryClients.create();
    host = `localhost:${instance.registryPort}`;
    await until('the registry answers', () => answers(host));
    await instance.client.createProject({ body: { slug: 'shop' } });
    const login = await clients.docker(['login', host, '-u', 'admin', '--password-stdin'], instance.key);
    assert.equal(login.exitCode, 0, login.output);
  });
  after(async () => {
    await instance?.[Symbol.asyncDispose]();
    await clients?.[Symbol.asyncDispose]();
    for (const image of built)
      await docker
        .getImage(image)
        .remove({ force: true })
        .catch(() => null);
  });

  /** Builds an image that serves this word. */
  async function imageOf(word: string): Promise<string> {
    const lines = ['EXPOSE 8080', `RUN ["/bin/sh", "-c", "echo ${run} ${word} > /www/index.html"]`, SERVE];
    const image = await customImage(docker, 'push', lines);
    built.add(image);
    return image;
  }

  async function pushedApp(app: string, environment = 'production'): Promise<AppParams> {
    await instance.client.createApp({
      body: { project: 'shop', environment, name: app, source: 'registry', port: 8080 },
    });
    return { project: 'shop', environment, app };
  }

  const nameOf = ({ project, environment, app }: AppParams) => `${host}/${project}/${environment}/${app}`;

  async function push(name: string, word: string) {
    const image = await imageOf(word);
    await clients.docker(['tag', image, name]);
    const ran = await clients.docker(['push', name]);
    await clients.docker(['rmi', name]);
    return ran;
  }

  const list = (params: AppParams): Promise<Deployment[]> => instance.client.listDeployments({ params });

  /** Resolves with the newest deployment as soon as this many deployments exist and it has ended. */
  const ended = (params: AppParams, count: number): Promise<Deployment> =>
    until(`deployment ${count} of ${params.app} has ended`, async () => {
      const found = await list(params);
      return found.length === count && found[0]?.finished_at ? found[0] : null;
    });

  const served = async (params: AppParams) =>
    (await send({ port: instance.httpPort, host: instance.hostOf(params) })).text.trim();

  it('with Docker starts a deployment, unless the image is unchanged', async () => {
    const web = await pushedApp('web');
    const first = await push(`${nameOf(web)}:v1`, 'one');
    assert.equal(first.exitCode, 0, first.output);
    const one = await ended(web, 1);
    assert.deepEqual(
      [one.status, one.trigger.kind, one.trigger.by, one.tag],
      ['succeeded', 'push', 'admin', 'v1'],
      `${one.error}`,
    );
    assert.ok(first.output.includes(one.digest ?? '?'), first.output);
    assert.equal(await served(web), `${run} one`);

    assert.equal((await push(`${nameOf(web)}:v1`, 'one')).exitCode, 0);
    assert.equal((await push(`${nameOf(web)}:v1`, 'two')).exitCode, 0);

    const two = await ended(web, 2);
    assert.equal(two.status, 'succeeded', `${two.error}`);
    assert.equal(await served(web), `${run} two`);
  });

  it('of signatures directly after an image does not disturb the deployment of the image', async () => {
    const web = await pushedApp('signed');
    const repository = 'shop/production/signed';
    const raw = new RawRegistry({ registry: `http://${host}`, api: instance.url }, 'admin', instance.key);
    const token = await raw.token(`repository:${repository}:pull,push`);
    const blobOf = async (mediaType: string, text: string) => {
      const bytes = Buffer.from(text);
      return { mediaType, digest: await raw.putBlob(repository, bytes, token), size: bytes.length };
    };
    const mediaType = 'application/vnd.oci.image.manifest.v1+json';
    const signature = {
      ...{ schemaVersion: 2, mediaType },
      config: await blobOf('application/vnd.oci.image.config.v1+json', '{"rootfs":{"type":"layers","diff_ids":[]}}'),
      layers: [await blobOf('application/vnd.dev.cosign.simplesigning.v1+json', `signature ${run}`)],
    };
    const empty = await blobOf('application/vnd.oci.empty.v1+json', '{}');
    const sbom = { schemaVersion: 2, mediaType, artifactType: 'application/spdx+json', config: empty, layers: [empty] };

    const first = await push(`${nameOf(web)}:v1`, 'signed');
    const digest = /digest: (sha256:[0-9a-f]{64})/.exec(first.output)?.[1] ?? assert.fail(first.output);
    await raw.putManifest(repository, `${digest.replace(':', '-')}.sig`, signature, token);
    const referrer = { ...sbom, subject: { mediaType, digest, size: 1 } };
    await raw.putManifest(repository, 'sbom', referrer, token);

    const one = await ended(web, 1);
    assert.deepEqual([one.status, one.tag, one.digest], ['succeeded', 'v1', digest], `${one.error}`);
    assert.equal(await served(web), `${run} signed`);
    // Davit handles pushes in their order, so after the next image it has handled the signatures.
    assert.equal((await push(`${nameOf(web)}:v2`, 'signed again')).exitCode, 0);
    await ended(web, 2);
    assert.deepEqual(
      (await list(web)).map(({ tag, status }) => [tag, status]),
      [
        ['v2', 'succeeded'],
        ['v1', 'succeeded'],
      ],
    );
    const releases = await instance.client.listReleases({ params: web });
    assert.deepEqual(
      releases.map(({ tag }) => tag),
      ['v2', 'v1'],
    );
  });

  it('with skopeo deploys an image that the engine does not have', inLong, async () => {
    const web = await pushedApp('copied');
    const image = await imageOf('copied');
    const creds = ['--dest-tls-verify=false', '--dest-creds', `admin:${instance.key}`];
    const ran = await clients.skopeo(['copy', '-q', ...creds, `docker-daemon:${image}`, `docker://${nameOf(web)}:v1`]);
    assert.equal(ran.exitCode, 0, ran.output);

    const deployment = await ended(web, 1);

    assert.equal(deployment.status, 'succeeded', `${deployment.error}`);
    assert.equal(await served(web), `${run} copied`);
    const inspected = await clients.skopeo([
      'inspect',
      '--tls-verify=false',
      '--creds',
      `admin:${instance.key}`,
      `docker://${nameOf(web)}:v1`,
    ]);
    assert.equal(JSON.parse(inspected.output).Digest, deployment.digest);
  });

  it('deploys the last image if the same tag is pushed several times', inLong, async () => {
    const web = await pushedApp('moved');
    for (const word of ['first', 'second', 'third']) assert.equal((await push(`${nameOf(web)}:v1`, word)).exitCode, 0);

    const last = await until('the last push is live', async () => {
      const [newest] = await list(web);
      return newest?.status === 'succeeded' && (await served(web)) === `${run} third` ? newest : null;
    });

    const pulled = await clients.docker(['pull', `${nameOf(web)}@${last.digest}`]);
    assert.equal(pulled.exitCode, 0, pulled.output);
    assert.match(pulled.output, new RegExp(last.digest ?? '?'));
    await clients.docker(['rmi', `${nameOf(web)}@${last.digest}`]);
  });

  it('creates a release that can be promoted and rolled back', inLong, async () => {
    await instance.client.createEnvironment({ params: { project: 'shop' }, body: { slug: 'staging' } });
    const [staging, live] = [await pushedApp('site', 'staging'), await pushedApp('site')];
    assert.equal((await push(`${nameOf(staging)}:v1`, 'v1')).exitCode, 0);
    await ended(staging, 1);
    assert.equal((await push(`${nameOf(staging)}:v2`, 'v2')).exitCode, 0);
    await ended(staging, 2);

    const promote = { params: live, query: { wait: 'true' as const }, body: { from: 'shop/staging/site' } };
    const promoted = (await instance.client.deployApp(promote)) as Deployment;
    assert.equal(promoted.status, 'succeeded', `${promoted.error}`);
    assert.equal(await served(live), `${run} v2`);

    const back = (await instance.client.rollbackApp({ params: staging, query: { wait: 'true' } })) as Deployment;
    assert.equal(back.status, 'succeeded', `${back.error}`);
    assert.equal(await served(staging), `${run} v1`);
  });

  it('to a missing app is denied with an explanation and creates no app', async () => {
    for (const [name, sentence] of [
      [
        'shop/production/nothing',
        /denied: The app shop\/production\/nothing does not exist, or you cannot push to it\. Create it/,
      ],
      ['web', /denied: web is not the address of an app\. Push to project\/environment\/app/],
    ] as const) {
      const ran = await push(`${host}/${name}:v1`, 'one');
      assert.notEqual(ran.exitCode, 0);
      assert.match(ran.output, sentence);
    }
    const apps = (await instance.client.listApps()).map(({ name }) => name);
    assert.equal(apps.includes('nothing'), false);
  });

  it('is refused with an invalid key or after docker logout', async () => {
    const web = await pushedApp('locked');
    const wrong = await clients.docker(['login', host, '-u', 'admin', '--password-stdin'], `davit_${'0'.repeat(64)}`);
    assert.match(wrong.output, /unauthorized: The user name, API key or password is not valid\. Check them/);
    await clients.docker(['logout', host]);
    try {
      const ran = await push(`${nameOf(web)}:v1`, 'one');
      assert.notEqual(ran.exitCode, 0);
      assert.match(ran.output, /unauthorized|no basic auth credentials/);
    } finally {
      await clients.docker(['login', host, '-u', 'admin', '--password-stdin'], instance.key);
    }
    assert.deepEqual(await list(web), []);
  });

  it('continues an upload after the registry container was replaced', inLong, async () => {
    await pushedApp('upload');
    const repository = 'shop/production/upload';
    const raw = new RawRegistry({ registry: `http://${host}`, api: instance.url }, 'admin', instance.key);
    const token = await raw.token(`repository:${repository}:pull,push`);
    const begun = await raw.ask({ method: 'POST', path: `/v2/${repository}/blobs/uploads/`, token });
    const half = await raw.ask({
      method: 'PATCH',
      path: begun.headers.get('location') ?? '',
      token,
      headers: { 'content-type': 'application/octet-stream' },
      body: 'first half, ',
    });
    assert.equal(half.status, 202, half.text);

    const name = `davit-${instance.id}-registry`;
    const before = (await docker.getContainer(name).inspect()).Id;
    await docker.getContainer(name).remove({ force: true });
    await until('another container serves', async () => {
      const found = await docker
        .getContainer(name)
        .inspect()
        .catch(() => null);
      return found !== null && found.Id !== before ? await answers(host) : null;
    });

    const digest = createHash('sha256').update('first half, second half').digest('hex');
    const path = `${half.headers.get('location')}&digest=sha256:${digest}`;
    const whole = await raw.ask({
      method: 'PUT',
      path,
      token,
      headers: { 'content-type': 'application/octet-stream' },
      body: 'second half',
    });
    assert.equal(whole.status, 201, whole.text);
  });
});

async function answers(host: string): Promise<true | null> {
  const answer = await fetch(`http://${host}/v2/`).catch(() => null);
  return answer?.status === 401 ? true : null;
}
