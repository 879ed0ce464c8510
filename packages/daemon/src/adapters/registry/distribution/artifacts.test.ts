import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { isStoredArtifact } from './artifacts.ts';
import { RegistryClient } from './client.ts';

const DOCKER = 'application/vnd.docker.distribution.manifest.v2+json';
const DOCKER_LIST = 'application/vnd.docker.distribution.manifest.list.v2+json';
const OCI = 'application/vnd.oci.image.manifest.v1+json';
const OCI_INDEX = 'application/vnd.oci.image.index.v1+json';
const DOCKER_CONFIG = 'application/vnd.docker.container.image.v1+json';
const OCI_CONFIG = 'application/vnd.oci.image.config.v1+json';
const EMPTY = 'application/vnd.oci.empty.v1+json';
const DOCKER_LAYER = 'application/vnd.docker.image.rootfs.diff.tar.gzip';
const OCI_LAYER = 'application/vnd.oci.image.layer.v1.tar+gzip';
const AMD64 = { os: 'linux', architecture: 'amd64' };
const UNKNOWN = { os: 'unknown', architecture: 'unknown' };
const ATTESTATION = { 'vnd.docker.reference.type': 'attestation-manifest' };

const blob = (mediaType: string) => ({ mediaType, digest: digestOf(mediaType), size: 2 });

/** Returns a manifest with a configuration and layers. */
const manifest = (mediaType: string, config: string, layers: string[], more: object = {}) => ({
  ...{ schemaVersion: 2, mediaType, config: blob(config), layers: layers.map(blob) },
  ...more,
});

const index = (mediaType: string, manifests: object[], more: object = {}) => ({
  ...{ schemaVersion: 2, mediaType, manifests },
  ...more,
});

const DOCKER_IMAGE = manifest(DOCKER, DOCKER_CONFIG, [DOCKER_LAYER, DOCKER_LAYER]);
const OCI_IMAGE = manifest(OCI, OCI_CONFIG, [OCI_LAYER]);
const SUBJECT = { subject: { ...blob(OCI), digest: digestOf(JSON.stringify(OCI_IMAGE)) } };
const COSIGN_SIGNATURE = manifest(OCI, OCI_CONFIG, ['application/vnd.dev.cosign.simplesigning.v1+json']);
const BUILDX_ATTESTATION = manifest(OCI, OCI_CONFIG, ['application/vnd.in-toto+json']);

/** Returns the entry of an index for a manifest. */
const entry = (of: { mediaType: string }, more: object = {}) => ({
  ...{ mediaType: of.mediaType, digest: digestOf(JSON.stringify(of)), size: 2 },
  ...more,
});
const ATTESTED = entry(BUILDX_ATTESTATION, { platform: UNKNOWN, annotations: ATTESTATION });

/** Contents of tags, and whether each is a container image. `entries` are the other manifests of the repository. */
const CONTENTS: { name: string; content: object; entries?: object[]; isImage: boolean }[] = [
  { name: 'a Docker image', content: DOCKER_IMAGE, isImage: true },
  { name: 'an OCI image', content: OCI_IMAGE, isImage: true },
  { name: 'an OCI image without the field mediaType', content: { ...OCI_IMAGE, mediaType: undefined }, isImage: true },
  ...['', '+gzip', '+zstd'].map((suffix) => ({
    name: `an OCI image with layers of the type tar${suffix}`,
    content: manifest(OCI, OCI_CONFIG, [
      `application/vnd.oci.image.layer.v1.tar${suffix}`,
      `application/vnd.oci.image.layer.nondistributable.v1.tar${suffix}`,
    ]),
    isImage: true,
  })),
  {
    name: 'a Docker image with a foreign layer',
    content: manifest(DOCKER, DOCKER_CONFIG, ['application/vnd.docker.image.rootfs.foreign.diff.tar.gzip']),
    isImage: true,
  },
  { name: 'an image without layers', content: manifest(OCI, OCI_CONFIG, []), isImage: true },
  {
    name: 'a Docker manifest list',
    content: index(DOCKER_LIST, [entry(DOCKER_IMAGE, { platform: AMD64 })]),
    isImage: true,
  },
  { name: 'an OCI index', content: index(OCI_INDEX, [entry(OCI_IMAGE, { platform: AMD64 })]), isImage: true },
  {
    name: 'a BuildKit index with attestations',
    content: index(OCI_INDEX, [entry(OCI_IMAGE, { platform: AMD64 }), ATTESTED]),
    isImage: true,
  },
  {
    name: 'an index without platforms that contains an image',
    content: index(OCI_INDEX, [entry(COSIGN_SIGNATURE), entry(OCI_IMAGE)]),
    entries: [COSIGN_SIGNATURE, OCI_IMAGE],
    isImage: true,
  },
  {
    name: 'an index in an index',
    content: index(OCI_INDEX, [entry(index(OCI_INDEX, [entry(OCI_IMAGE, { platform: AMD64 })]))]),
    entries: [index(OCI_INDEX, [entry(OCI_IMAGE, { platform: AMD64 })])],
    isImage: true,
  },
  { name: 'an index with only attestations', content: index(OCI_INDEX, [ATTESTED]), isImage: false },
  { name: 'an empty index', content: index(OCI_INDEX, []), isImage: false },
  {
    name: 'an index of signatures',
    content: index(OCI_INDEX, [entry(COSIGN_SIGNATURE)]),
    entries: [COSIGN_SIGNATURE],
    isImage: false,
  },
  {
    name: 'an index of referrers',
    content: index(OCI_INDEX, [entry(OCI_IMAGE, { artifactType: 'application/spdx+json' })]),
    entries: [OCI_IMAGE],
    isImage: false,
  },
  {
    name: 'an index whose manifests are missing',
    content: index(OCI_INDEX, [entry(OCI_IMAGE)]),
    isImage: false,
  },
  {
    name: 'an index that refers to an image as its subject',
    content: index(OCI_INDEX, [entry(OCI_IMAGE, { platform: AMD64 })], SUBJECT),
    isImage: false,
  },
  {
    name: 'a BuildKit cache',
    content: index(OCI_INDEX, [blob(OCI_LAYER), blob('application/vnd.buildkit.cacheconfig.v0')]),
    isImage: false,
  },
  {
    name: 'a BuildKit cache as a manifest',
    content: manifest(OCI, 'application/vnd.buildkit.cacheconfig.v0', [OCI_LAYER]),
    isImage: false,
  },
  { name: 'a cosign signature', content: COSIGN_SIGNATURE, isImage: false },
  {
    name: 'a cosign attestation',
    content: manifest(OCI, OCI_CONFIG, ['application/vnd.dsse.envelope.v1+json']),
    isImage: false,
  },
  { name: 'a BuildKit attestation', content: BUILDX_ATTESTATION, isImage: false },
  {
    name: 'an ORAS artifact',
    content: manifest(OCI, 'application/vnd.unknown.config.v1+json', ['application/vnd.oci.image.layer.v1.tar']),
    isImage: false,
  },
  {
    name: 'a Helm chart',
    content: manifest(OCI, 'application/vnd.cncf.helm.config.v1+json', [
      'application/vnd.cncf.helm.chart.content.v1.tar+gzip',
    ]),
    isImage: false,
  },
  {
    name: 'an artifact with an empty configuration',
    content: manifest(OCI, EMPTY, [EMPTY], { artifactType: 'application/vnd.example.sbom' }),
    isImage: false,
  },
  {
    name: 'an image manifest with an artifact type',
    content: manifest(OCI, OCI_CONFIG, [OCI_LAYER], { artifactType: 'application/vnd.example.sbom' }),
    isImage: false,
  },
  {
    name: 'an image manifest that refers to another image as its subject',
    content: manifest(OCI, OCI_CONFIG, [OCI_LAYER], SUBJECT),
    isImage: false,
  },
  { name: 'a manifest without a configuration', content: { schemaVersion: 2, mediaType: OCI }, isImage: false },
];

/** A registry client that reads manifests from memory. */
class Manifests extends RegistryClient {
  readonly #bodies = new Map<string, Buffer>();

  constructor(manifests: object[]) {
    super({ url: () => null });
    for (const one of manifests) {
      const text = JSON.stringify(one);
      this.#bodies.set(digestOf(text), Buffer.from(text));
    }
  }

  override async stored(_method: 'GET' | 'HEAD', _repository: string, reference: string) {
    const body = this.#bodies.get(reference);
    return body === undefined ? null : { status: 200, headers: {}, body };
  }
}

describe('isStoredArtifact', () => {
  for (const { name, content, entries = [], isImage } of CONTENTS) {
    it(`returns ${!isImage} for ${name}`, async () => {
      const client = new Manifests([content, ...entries]);
      const digest = digestOf(JSON.stringify(content));

      assert.equal(await isStoredArtifact(client, 'shop/production/web', digest), !isImage);
    });
  }

  it('returns false for a missing manifest', async () => {
    assert.equal(await isStoredArtifact(new Manifests([]), 'shop/production/web', digestOf('missing')), false);
  });
});

function digestOf(text: string): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}
