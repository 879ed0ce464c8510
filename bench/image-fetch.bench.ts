/**
 * Compares pulls of a new image of 500 MiB through the daemon's gateway with the engine's own pulls, in the same run.
 * Pulls run in pairs with alternating order. The registry is on this machine, so that no network hides the cost.
 */
import { randomBytes } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { gzipSync } from 'node:zlib';
import { isPublicAddress } from '@davit/service';
import Docker from 'dockerode';
import { pack } from 'tar-stream';
import { createDockerEngine } from '../packages/daemon/src/adapters/engine/docker/docker.ts';
import { fetchingImages } from '../packages/daemon/src/adapters/registry/remote/fetching.ts';
import { IMAGE_TYPE, OpenRegistry, sha } from '../test/support/open-registry.ts';
import { comparison, inPairs } from './support/pairs.ts';
import { conclude, formOf } from './support/result.ts';

const MIB = 1024 * 1024;
const LAYERS = 5;
const LAYER_BYTES = { short: 10 * MIB, usual: 100 * MIB, long: 100 * MIB };
const PAIRS = { short: 2, usual: 5, long: 15 };
const LIMIT = 1.3;
const TIMEOUT_MS = 5 * 60_000;

const form = formOf();
const docker = new Docker();
const davitId = randomBytes(4).toString('hex');
await using registry = await OpenRegistry.start();
const host = `localhost:${new URL(registry.url).port}`;
const reference = `${host}/bench/image:v1`;
await push();

const networkPool = '10.208.0.0/12';
const bare = createDockerEngine({ davitId, dockerHost: null, networkPool, dataDir: registry.storage });
await using engine = fetchingImages(bare, {
  davitId,
  own: {
    host: () => 'localhost:1',
    readImages: async () => ({ images: [], isComplete: true }),
    openBlob: () => Promise.reject(new Error('the registry of the instance is empty')),
  },
  possession: { isKnownBlob: () => false, isKnownImage: () => false, remember: () => undefined },
  isBroughtHere: () => true,
  recordName: () => undefined,
  privateHosts: () => [host],
  isOpen: isPublicAddress,
  containers: networkPool,
  port: { remembered: () => null, remember: () => undefined },
});

const throughMs: number[] = [];
const directMs: number[] = [];

/** Pulls the image to an engine that has no layer of it, adds the milliseconds to a list, and removes the image. */
async function timed(by: Pick<typeof engine, 'pullImage'>, into: number[]): Promise<void> {
  const from = performance.now();
  const { id } = await by.pullImage(reference, null, AbortSignal.timeout(TIMEOUT_MS));
  into.push(performance.now() - from);
  await docker.getImage(id).remove({ force: true });
}

// One pull of each kind is not measured. After it, the files of the registry are in memory.
await timed(bare, []);
await timed(engine, []);
await inPairs(
  PAIRS[form],
  () => timed(engine, throughMs),
  () => timed(bare, directMs),
  [
    ['through_the_gateway', throughMs],
    ['direct', directMs],
  ],
);
await conclude(
  {
    name: 'image-fetch',
    promise: 'Pull of 500 MiB through the daemon, compared with Docker’s own pull',
    ...comparison(LIMIT, ['through_the_gateway', throughMs], ['direct', directMs], {
      image: `${LAYERS} layers of ${LAYER_BYTES[form] / MIB} MiB that do not compress`,
    }),
  },
  form,
);

async function push(): Promise<void> {
  const layers: { digest: string; size: number; content: string }[] = [];
  for (let n = 0; n < LAYERS; n += 1) layers.push(await pushLayer(n));
  const config = Buffer.from(
    JSON.stringify({
      architecture: 'amd64',
      os: 'linux',
      config: {},
      rootfs: { type: 'layers', diff_ids: layers.map(({ content }) => content) },
    }),
  );
  await registry.upload('bench/image', config);
  const manifest = JSON.stringify({
    schemaVersion: 2,
    mediaType: IMAGE_TYPE,
    config: { mediaType: 'application/vnd.docker.container.image.v1+json', size: config.length, digest: sha(config) },
    layers: layers.map(({ digest, size }) => ({
      mediaType: 'application/vnd.docker.image.rootfs.diff.tar.gzip',
      ...{ digest, size },
    })),
  });
  const headers = { 'content-type': IMAGE_TYPE };
  const answer = await fetch(`${registry.url}/v2/bench/image/manifests/v1`, { method: 'PUT', headers, body: manifest });
  if (answer.status !== 201) throw new Error(`push the manifest: ${answer.status} ${await answer.text()}`);
}

/**
 * Uploads a layer with random content, which does not compress.
 * @returns digest and size of the compressed layer, and `content`, the digest of its uncompressed archive
 */
async function pushLayer(n: number): Promise<{ digest: string; size: number; content: string }> {
  const archive = pack();
  archive.entry({ name: `layer-${n}` }, randomBytes(LAYER_BYTES[form]));
  archive.finalize();
  const parts: Buffer[] = [];
  for await (const part of archive) parts.push(part as Buffer);
  const content = Buffer.concat(parts);
  const blob = gzipSync(content, { level: 1 });
  await registry.upload('bench/image', blob);
  return { digest: sha(blob), size: blob.length, content: sha(content) };
}
