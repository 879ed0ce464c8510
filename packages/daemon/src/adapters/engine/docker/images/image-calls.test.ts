/** Tests the requests that the adapter sends for an image, and the responses that it accepts. */

import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import { EngineRefused } from '../../errors.ts';
import type { DockerClient, EngineCall } from '../client/client.ts';
import { inspectImage, inspectImageById, pullImage } from './image-calls.ts';

const DIGEST = `sha256:${'a'.repeat(64)}`;
const SIGNAL = new AbortController().signal;

/** Returns a client of an engine that has one image and returns this image for every lookup. */
function engineWith(names: { RepoTags?: string[] | null; RepoDigests?: string[] | null }) {
  const calls: EngineCall[] = [];
  const client = {
    call: async (call: EngineCall) => {
      calls.push(call);
      return { Id: DIGEST, ...names };
    },
    stream: async (call: EngineCall) => {
      calls.push(call);
      return Readable.from([]);
    },
  } as unknown as DockerClient;
  return { client, calls };
}

describe('requests for an image', () => {
  it('uses the canonical reference for lookups and pulls regardless of the given spelling', async () => {
    const { client, calls } = engineWith({ RepoTags: ['nginx:1.29', 'localhost:5000/a/b:v1'] });
    for (const text of ['nginx:1.29', 'Docker.IO/library/nginx:1.29', 'index.docker.io/nginx:1.29']) {
      assert.equal((await inspectImage(client, text))?.Id, DIGEST, text);
    }
    for (const text of ['LOCALHOST:05000/a/b:v1', '127.0.0.1:5000/a/b:v1']) {
      assert.equal((await inspectImage(client, text))?.Id, DIGEST, text);
      await pullImage(client, text, { auth: null, signal: SIGNAL, doing: 'pull' });
    }
    await pullImage(client, `nginx:1.29@${DIGEST}`, { auth: null, signal: SIGNAL, doing: 'pull' });
    await pullImage(client, 'nginx', { auth: null, signal: SIGNAL, doing: 'pull' });

    const own = { fromImage: 'localhost:5000/a/b', tag: 'v1' };
    assert.deepEqual(
      [...new Set(calls.map(({ path }) => path))],
      ['/images/docker.io/library/nginx:1.29/json', '/images/localhost:5000/a/b:v1/json', '/images/create'],
    );
    assert.deepEqual(
      calls.flatMap(({ query }) => query ?? []),
      [
        own,
        own,
        { fromImage: 'docker.io/library/nginx', tag: DIGEST },
        { fromImage: 'docker.io/library/nginx', tag: 'latest' },
      ],
    );
  });

  it('sends no request for a reference that the engine could read as an ID', async () => {
    const { client, calls } = engineWith({ RepoTags: ['nginx:1.29'] });
    for (const text of ['sha256:58', 'sha256', DIGEST, 'a'.repeat(64), 'docker.io/sha256:58', 'library/sha512:ab']) {
      await assert.rejects(inspectImage(client, text), EngineRefused, text);
      await assert.rejects(pullImage(client, text, { auth: null, signal: SIGNAL, doing: 'pull' }), EngineRefused, text);
    }
    for (const text of ['nginx:1.29', 'sha256:58', 'a'.repeat(64), `${DIGEST}/../x`]) {
      await assert.rejects(inspectImageById(client, text), EngineRefused, text);
    }
    assert.deepEqual(calls, []);
  });
});

describe('an image in the engine’s response', () => {
  for (const [title, names, wanted, isFound] of [
    ['is found by its tag', { RepoTags: ['acme/web:v1'] }, 'acme/web:v1', true],
    ['is found by its digest', { RepoDigests: [`ghcr.io/acme/web@${DIGEST}`] }, `GHCR.io/acme/web@${DIGEST}`, true],
    ['is not found by another tag', { RepoTags: ['acme/web:v2'] }, 'acme/web:v1', false],
    ['is not found by the tag of another registry', { RepoTags: ['ghcr.io/acme/web:v1'] }, 'acme/web:v1', false],
    [
      'is not found if its names are <none>',
      { RepoTags: ['<none>:<none>'], RepoDigests: ['<none>@<none>'] },
      'acme/web:v1',
      false,
    ],
    ['is not found if it has no names', { RepoTags: null, RepoDigests: null }, 'acme/web:v1', false],
  ] as const) {
    it(title, async () => {
      const { client } = engineWith(names as Parameters<typeof engineWith>[0]);
      assert.equal((await inspectImage(client, wanted))?.Id, isFound ? DIGEST : undefined);
    });
  }
});
