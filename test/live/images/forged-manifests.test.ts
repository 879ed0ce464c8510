/**
 * Manifests that refer to blobs which their registry does not have. An engine would use its blobs of another project
 * instead.
 */

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { Deployment } from '@davit/api';
import { until } from '@davit/testkit/waiting';
import { FakeRegistry, sha256 } from '../../../packages/daemon/test/support/fake-registry.ts';
import { LiveHarness, whyNoEngine } from '../../support/live-harness.ts';
import { tagImage } from '../../support/live-images.ts';
import { RegistryClients } from '../../support/registry-clients.ts';
import { RawRegistry } from '../../support/registry-raw.ts';
import { inLong } from '../../support/tiers.ts';

const SECRET = 'bravo/production/secret';
const MINE = 'alpha/production/mine';
const MANIFEST = 'application/vnd.docker.distribution.manifest.v2+json';
const LIST = 'application/vnd.docker.distribution.manifest.list.v2+json';
/** Forged manifests of another registry in `npm test`, one for each error. */
const QUICK = ['with all layers', 'with a known configuration and layers of its own'];

interface Descriptor {
  digest: string;
  size: number;
  mediaType: string;
}

describe('a forged manifest', { skip: whyNoEngine() ?? false, concurrency: 1 }, () => {
  let harness: LiveHarness;
  let clients: RegistryClients;
  let foreign: FakeRegistry;
  let admin: RawRegistry;
  /** Parts of the image of another project. */
  let config: Descriptor;
  let layers: Descriptor[];
  let platform: { architecture: string; os: string };
  const blobs = new Map<string, Buffer>();

  before(async () => {
    [harness, clients, foreign] = await Promise.all([
      LiveHarness.create(),
      RegistryClients.create(),
      FakeRegistry.start(),
    ]);
    const { client, registryPort, url, key } = harness.instance;
    await client.patchSettings({ body: { registries: { private_hosts: [foreign.host] } } });
    for (const reference of [SECRET, MINE]) {
      const [project = '', , name = ''] = reference.split('/');
      await client.createProject({ body: { slug: project } });
      await client.createApp({ body: { project, name, source: 'registry', port: 8080, tag: 'none' } });
    }
    admin = new RawRegistry({ registry: `http://127.0.0.1:${registryPort}`, api: url }, 'admin', key);
    await until(
      'the registry answers',
      () => admin.ask({ path: '/v2/' }).catch(() => null),
      (answer) => answer?.status === 401,
    );
    const to = ['--dest-tls-verify=false', '--dest-creds', `admin:${key}`];
    const from = `docker-daemon:${await tagImage(harness.docker, 'v1')}`;
    const pushed = await clients.skopeo(['copy', '-q', ...to, from, `docker://localhost:${registryPort}/${SECRET}:v1`]);
    assert.equal(pushed.exitCode, 0, pushed.output);
    assert.equal((await deploy(SECRET, 'v1')).status, 'succeeded');
    const token = await admin.token(`repository:${SECRET}:pull`);
    ({ config, layers } = JSON.parse((await admin.manifest(SECRET, 'v1', token)).text));
    for (const { digest } of [config, ...layers]) {
      const answer = await fetch(`http://127.0.0.1:${registryPort}/v2/${SECRET}/blobs/${digest}`, {
        headers: { authorization: `Bearer ${token}` },
      });
      blobs.set(digest, Buffer.from(await answer.arrayBuffer()));
    }
    const { architecture, os } = JSON.parse((blobs.get(config.digest) as Buffer).toString());
    platform = { architecture, os };
  });
  after(async () => {
    await foreign?.[Symbol.asyncDispose]();
    await clients?.[Symbol.asyncDispose]();
    await harness?.[Symbol.asyncDispose]();
  });

  /** Makes the other registry serve a manifest, with the blobs that it has. */
  function offer(repository: string, manifest: object, has: (digest: string) => Buffer | null): void {
    const body = Buffer.from(JSON.stringify({ schemaVersion: 2, mediaType: MANIFEST, ...manifest }));
    put(repository, body, 'v1');
    const before = foreign.handler;
    foreign.handler = (request, response) => {
      const { url = '', method } = request;
      const digest = url.startsWith(`/v2/${repository}/blobs/`) ? url.slice(url.lastIndexOf('/') + 1) : null;
      const found = digest === null ? null : has(digest);
      if (found === null) return before?.(request, response) ?? false;
      response.writeHead(200, { 'content-length': found.length }).end(method === 'HEAD' ? undefined : found);
      return true;
    };
  }

  /**
   * Puts a manifest into the other registry.
   * @returns its descriptor for an index
   */
  function put(repository: string, body: Buffer, ...tags: string[]): Descriptor {
    const digest = sha256(body);
    const { mediaType } = JSON.parse(body.toString());
    for (const reference of [...tags, digest]) foreign.put(`${repository}/manifests/${reference}`, body, mediaType);
    return { digest, size: body.length, mediaType };
  }

  /** Creates an image of the attacker with the layers of the other project. Only its configuration refers to them. */
  function overForeignLayers(repository: string): Descriptor {
    const image = JSON.parse((blobs.get(config.digest) as Buffer).toString());
    const own = Buffer.from(JSON.stringify({ ...image, author: repository }));
    foreign.put(`${repository}/blobs/${sha256(own)}`, own, 'application/octet-stream');
    return { ...config, digest: sha256(own), size: own.length };
  }

  /** Returns as many layers as the image of the other project has, with other contents. */
  function junkLayers(): { bytes: Buffer; layer: Descriptor }[] {
    return layers.map(({ mediaType }, i) => {
      const bytes = gzipSync(`junk ${i}`);
      return { bytes, layer: { mediaType, digest: sha256(bytes), size: bytes.length } };
    });
  }

  /** Returns the digest names of the engine for images of a repository, including names of the gateway. */
  async function namesOf(host: string, repository: string): Promise<string[]> {
    const images = await harness.docker.listImages({ all: true });
    const ends = [host, host.replace(':', '_')].map((name) => `${name}/${repository}`);
    const names = images.flatMap(({ RepoDigests }) => RepoDigests ?? []);
    return names.filter((name) => ends.some((end) => name.split('@')[0]?.endsWith(end)));
  }

  async function run(image: string, tag = 'v1') {
    const app = await harness.app({ image, port: 8080 });
    const first = await app.deploy(tag);
    // Objects that a failed attempt left at the engine must not help the next attempt.
    const { status, error_code } = first.status === 'failed' ? await app.deploy(tag) : first;
    return { status, error_code };
  }

  function deploy(reference: string, tag: string): Promise<Deployment> {
    const [project = '', environment = '', app = ''] = reference.split('/');
    const params = { project, environment, app };
    return harness.client.deployApp({ params, query: { wait: 'true' }, body: { tag } }) as Promise<Deployment>;
  }

  const known = (digest: string) => blobs.get(digest) ?? null;
  const wrong = (digest: string) =>
    digest === config.digest ? known(digest) : Buffer.alloc(known(digest)?.length ?? 0);

  for (const [what, code, shape, has] of [
    ['of a registry that has nothing', 'image_not_found', () => ({ config, layers: [] }), () => null],
    ['with all layers', 'image_not_found', () => ({ config, layers }), () => null],
    [
      'with a configuration alone',
      'image_not_found',
      () => ({ config, layers }),
      (digest: string) => (digest === config.digest ? known(digest) : null),
    ],
    [
      'with a known configuration and no layers',
      'registry_answer_invalid',
      () => ({ config, layers: [] }),
      (digest: string) => (digest === config.digest ? known(digest) : null),
    ],
    [
      'with a known configuration and layers of its own',
      'registry_answer_invalid',
      () => ({ config, layers: junkLayers().map(({ layer }) => layer) }),
      (digest: string) =>
        digest === config.digest
          ? known(digest)
          : (junkLayers().find(({ layer }) => layer.digest === digest)?.bytes ?? null),
    ],
    ['with other bytes', 'registry_answer_invalid', () => ({ config, layers }), wrong],
  ] as [string, string, () => object, (digest: string) => Buffer | null][]) {
    const tier = QUICK.includes(what) ? {} : inLong;
    it(`${what} fails the deployment and runs no image of another project`, tier, async () => {
      const repository = `evil/${what.replaceAll(' ', '-')}`;
      offer(repository, shape(), has);

      assert.deepEqual(await run(`${foreign.host}/${repository}`), { status: 'failed', error_code: code });
      assert.deepEqual(await namesOf(foreign.host, repository), []);
    });
  }

  it('fails the deployment if the manifest was an earlier image’s configuration', async () => {
    const repository = `${foreign.host}/evil/configuration`;
    const own = gzipSync(Buffer.alloc(1024));
    const layer = { mediaType: `${MANIFEST}.layer`, digest: sha256(own), size: own.length };
    foreign.put(`evil/configuration/blobs/${layer.digest}`, own, 'application/octet-stream');
    const diff = sha256(Buffer.alloc(1024));
    const image = { ...platform, rootfs: { type: 'layers', diff_ids: [diff] } };
    const both = Buffer.from(
      JSON.stringify({ schemaVersion: 2, mediaType: MANIFEST, ...image, config, layers: [layer] }),
    );
    put('evil/configuration', both, 'v2');
    foreign.put(`evil/configuration/blobs/${sha256(both)}`, both, 'application/octet-stream');
    const first = { ...config, digest: sha256(both), size: both.length };
    put(
      'evil/configuration',
      Buffer.from(JSON.stringify({ schemaVersion: 2, mediaType: MANIFEST, config: first, layers: [layer] })),
      'v1',
    );
    const app = await harness.app({ image: repository, port: 8080 });
    // The image has no program, so it does not start; only its pull matters.
    await app.deploy('v1');
    assert.ok(await harness.docker.getImage(sha256(both)).inspect());

    const { status, error_code } = await app.deploy('v2');

    assert.deepEqual([status, error_code], ['failed', 'image_not_found']);
  });

  it('is refused in an index that also declares an image', async () => {
    const repository = 'evil/index';
    const own = overForeignLayers(repository);
    const image = { schemaVersion: 2, mediaType: MANIFEST, config: own, layers };
    const child = { ...put(repository, Buffer.from(JSON.stringify(image))), platform };
    const index = { schemaVersion: 2, mediaType: LIST, config: own, layers: [], manifests: [child] };
    put(repository, Buffer.from(JSON.stringify(index)), 'v1');

    assert.deepEqual(await run(`${foreign.host}/${repository}`), {
      status: 'failed',
      error_code: 'registry_answer_invalid',
    });
  });

  it('is refused in an index with another image that has the same configuration', inLong, async () => {
    const repository = 'evil/twins';
    const own = overForeignLayers(repository);
    const [forged, harmless] = [layers, []].map((of) => {
      const image = { schemaVersion: 2, mediaType: MANIFEST, config: own, layers: of };
      return { ...put(repository, Buffer.from(JSON.stringify(image))), platform };
    });
    for (const [tag, manifests] of Object.entries({ v1: [forged, harmless], v2: [harmless, forged] })) {
      put(repository, Buffer.from(JSON.stringify({ schemaVersion: 2, mediaType: LIST, manifests })), tag);
      assert.equal((await run(`${foreign.host}/${repository}`, tag)).status, 'failed', tag);
    }
  });

  for (const isMissing of [false, true]) {
    const kept = `that the engine has kept${isMissing ? ' and the registry does not have any more' : ''}`;
    it(`${kept} is refused beside an image for another platform`, isMissing ? inLong : {}, async () => {
      const repository = isMissing ? 'evil/lost-twin' : 'evil/other-twin';
      const own = overForeignLayers(repository);
      const [harmless, forged] = [[], layers].map((of) =>
        put(
          repository,
          Buffer.from(JSON.stringify({ schemaVersion: 2, mediaType: MANIFEST, config: own, layers: of })),
        ),
      ) as [Descriptor, Descriptor];
      const architecture = platform.architecture === 'arm64' ? 'amd64' : 'arm64';
      const manifests = [
        { ...harmless, platform: { ...platform, architecture } },
        { ...forged, platform },
      ];
      put(repository, Buffer.from(JSON.stringify({ schemaVersion: 2, mediaType: LIST, manifests })), 'v1');
      const app = await harness.app({ image: `${foreign.host}/${repository}`, port: 8080 });
      assert.equal((await app.deploy('v1')).status, 'failed');
      const isForged = ({ path }: { path: string }) => path.endsWith(forged.digest);
      assert.ok(foreign.requests.some(isForged), 'the engine requests it once');
      const before = foreign.handler;
      if (isMissing)
        foreign.handler = (request, response) =>
          isForged({ path: request.url ?? '' })
            ? !!response.writeHead(404).end()
            : (before?.(request, response) ?? false);

      for (let tries = 0; tries < 2; tries++) assert.equal((await app.deploy('v1')).status, 'failed');

      assert.deepEqual(await namesOf(foreign.host, repository), []);
      foreign.handler = before;
    });
  }

  it('runs the image if the registry has all of the image’s blobs', async () => {
    offer('acme/same', { config, layers }, known);

    assert.equal((await run(`${foreign.host}/acme/same`)).status, 'succeeded');
  });

  for (const type of [MANIFEST, 'application/vnd.oci.image.manifest.v1+json']) {
    const tier = type === MANIFEST ? {} : inLong;

    it(`of ${type} in the instance’s registry does not run an image of another project`, tier, async () => {
      const token = await admin.token(`repository:${MINE}:pull,push`);
      const urls = ['https://example.com/layer'];
      const shapes = {
        nothing: { config, layers: [] },
        'urls-config': { config: { ...config, urls }, layers: [] },
        'urls-all': { config: { ...config, urls }, layers: layers.map((layer) => ({ ...layer, urls })) },
        'urls-case': { config: { ...config, urlS: urls }, layers: [] },
      };
      for (const [tag, shape] of Object.entries(shapes)) {
        const body = JSON.stringify({ schemaVersion: 2, mediaType: type, ...shape });
        const path = `/v2/${MINE}/manifests/${tag}`;
        const headers = { 'content-type': type };
        const { status } = await admin.ask({ method: 'PUT', path, token, headers, body });
        // The registry refuses some of the manifests, which then cannot be deployed.
        if (status !== 201) continue;
        const { status: ended, error_code } = await deploy(MINE, tag);
        assert.deepEqual([ended, error_code], ['failed', 'registry_answer_invalid'], tag);
      }
    });

    it(
      `of ${type} in the instance’s registry is refused if its layers contradict the configuration`,
      tier,
      async () => {
        const token = await admin.token(`repository:${MINE}:pull,push`);
        const junk = junkLayers();
        for (const bytes of [known(config.digest) as Buffer, ...junk.map((one) => one.bytes)])
          await admin.putBlob(MINE, bytes, token);
        for (const [tag, of] of Object.entries({ 'no-layers': [], junk: junk.map(({ layer }) => layer) })) {
          await pushMine(tag, type, of, token);
          for (let tries = 0; tries < 2; tries++) {
            const { status, error_code } = await deploy(MINE, tag);
            assert.deepEqual([status, error_code], ['failed', 'registry_answer_invalid'], tag);
          }
        }
        assert.deepEqual(await namesOf(`localhost:${harness.instance.registryPort}`, MINE), []);
      },
    );
  }

  it('runs the image if the repository in the instance’s registry has all blobs', async () => {
    const token = await admin.token(`repository:${MINE}:pull,push`);
    for (const { digest } of [config, ...layers]) await admin.putBlob(MINE, known(digest) as Buffer, token);
    await pushMine('whole', MANIFEST, layers, token);

    const { status, error } = await deploy(MINE, 'whole');

    assert.equal(status, 'succeeded', `${error}`);
  });

  async function pushMine(tag: string, type: string, of: Descriptor[], token: string): Promise<void> {
    const body = JSON.stringify({ schemaVersion: 2, mediaType: type, config, layers: of });
    const headers = { 'content-type': type };
    const { status, text } = await admin.ask({
      ...{ method: 'PUT', path: `/v2/${MINE}/manifests/${tag}`, token, headers, body },
    });
    assert.equal(status, 201, text);
  }

  it('does not move a local image name when the registry’s image is deployed', async () => {
    const name = `${foreign.host}/acme/local`;
    await harness.docker.getImage(await tagImage(harness.docker, 'v2')).tag({ repo: name, tag: 'v1' });
    const before = await harness.docker.getImage(`${name}:v1`).inspect();
    offer('acme/local', { config, layers }, known);
    try {
      const app = await harness.app({ image: name, pull: 'always', port: 8080 });
      assert.equal((await app.deploy('v1')).status, 'succeeded');

      assert.match((await app.get()).text, /^v1 /, 'what the registry has runs');
      assert.equal((await harness.docker.getImage(`${name}:v1`).inspect()).Id, before.Id);
    } finally {
      await harness.docker.getImage(`${name}:v1`).remove();
    }
  });
});
