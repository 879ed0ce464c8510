import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DockerClient } from '../client/client.ts';
import type { DockerContext } from '../context.ts';
import { DockerImages } from './images.ts';

const ID = `sha256:${'1'.repeat(64)}`;
const DIGEST = `sha256:${'a'.repeat(64)}`;
const OTHER = `sha256:${'b'.repeat(64)}`;

/** Returns the images of an engine that has one image. */
function imagesWith(RepoDigests: string[], Config: object | null = {}): DockerImages {
  const found = { Id: ID, RepoTags: ['acme/web:v1'], RepoDigests, Config, Size: 1 };
  const client = { call: async () => found } as unknown as DockerClient;
  return new DockerImages({ client, davitId: 'abc' } as unknown as DockerContext);
}

describe('the digest of an image', () => {
  for (const [title, names, expected] of [
    ['is the digest in its own repository', [`ghcr.io/acme/web@${OTHER}`, `acme/web@${DIGEST}`], DIGEST],
    ['is the digest of its pull through the gateway', [`localhost:4/davit-abc/docker.io/acme/web@${DIGEST}`], DIGEST],
    ['is not the digest in another repository', [`ghcr.io/acme/web@${OTHER}`, `acme/other@${OTHER}`], null],
    ['is not the digest of a pull by another instance', [`localhost:4/davit-def/docker.io/acme/web@${OTHER}`], null],
    ['is null for an image that was built on the server', [], null],
  ] as const) {
    it(title, async () => {
      assert.equal((await imagesWith([...names]).find('acme/web:v1'))?.digest, expected);
    });
  }

  for (const [name, expected] of [
    [`localhost:4/davit-abcdefgh/docker.io/acme/web@${DIGEST}`, true],
    [`localhost:5/davit-stranger/docker.io/acme/web@${DIGEST}`, true],
    [`localhost:4/davit-stranger/ghcr.io/acme/web@${DIGEST}`, false],
    [`localhost:4/davit-stranger/docker.io/acme/other@${DIGEST}`, false],
    [`localhost:4/shop/production/web@${DIGEST}`, false],
    [`ghcr.io/acme/web@${DIGEST}`, false],
  ] as const) {
    it(`${expected ? 'shows' : 'does not show'} a pull through the gateway for the repository digest ${name}`, async () => {
      assert.equal((await imagesWith([name]).find('acme/web:v1'))?.isFromGateway, expected);
    });
  }

  it('is null for an image that is found by ID', async () => {
    assert.equal((await imagesWith([`acme/web@${DIGEST}`]).findById(ID))?.digest, null);
  });
});

describe('the ports of an image', () => {
  it('contain the exposed TCP ports in ascending order', async () => {
    const ExposedPorts = { '8080/tcp': {}, '53/udp': {}, '65535/tcp': {}, '1/tcp': {} };
    assert.deepEqual((await imagesWith([], { ExposedPorts }).findById(ID))?.exposedPorts, [1, 8080, 65_535]);
  });

  it('exclude values that are not a valid TCP port', async () => {
    const odd = [
      '65536/tcp',
      '0/tcp',
      '-1/tcp',
      `${'9'.repeat(30)}/tcp`,
      '1e3/tcp',
      '80-90/tcp',
      ' 80/tcp',
      '80',
      '/tcp',
    ];
    const ExposedPorts = Object.fromEntries(odd.map((port) => [port, {}]));
    assert.deepEqual((await imagesWith([], { ExposedPorts }).findById(ID))?.exposedPorts, []);
  });

  for (const config of [null, {}, { ExposedPorts: null, Healthcheck: null }, { Healthcheck: { Test: null } }]) {
    it(`are empty for the image configuration ${JSON.stringify(config)}`, async () => {
      const found = await imagesWith([], config).findById(ID);
      assert.deepEqual([found?.exposedPorts, found?.hasHealthcheck], [[], false]);
    });
  }
});

describe('the HEALTHCHECK of an image', () => {
  for (const [test, expected] of [
    [
      ['CMD', 'a', 'b'],
      ['a', 'b'],
    ],
    [
      ['CMD-SHELL', 'a b'],
      ['/bin/sh', '-c', 'a b'],
    ],
    [['CMD'], null],
    [['CMD-SHELL'], null],
    [['NONE'], null],
    [['other', 'a'], null],
    [[], null],
  ] as const) {
    it(`${JSON.stringify(test)} is read as ${expected === null ? 'none' : 'a command'}`, async () => {
      const images = imagesWith([], { Healthcheck: { Test: [...test] } });
      assert.deepEqual(await images.healthcheck(ID), expected);
      assert.equal((await images.findById(ID))?.hasHealthcheck, expected !== null);
    });
  }
});
