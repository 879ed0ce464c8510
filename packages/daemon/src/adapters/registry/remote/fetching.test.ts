import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { patience } from '@davit/testkit/waiting';
import { FakeRegistry } from '../../../../test/support/fake-registry.ts';
import type { BareEngine, Engine } from '../../engine/engine.ts';
import { PullRefused } from '../../engine/errors.ts';
import type { Image } from '../../engine/image.ts';
import { fetchingImages } from './fetching.ts';

const ID = `sha256:${'1'.repeat(64)}`;

describe('a pull through the gateway', () => {
  let registry: FakeRegistry;
  let engine: Engine;
  let failures: number;
  let pulls: number;
  let naming: string[];
  beforeEach(async () => {
    registry = await FakeRegistry.start();
    registry.add('acme/web', 'v1', 'bytes');
    [failures, pulls] = [0, 0];
    naming = [];
    const bare = {
      pullImage: async () => {
        pulls += 1;
        /*
         * Docker fails in this way if it joined another download of the same layer and the session of that download
         * ends.
         */
        if (pulls <= failures) throw new PullRefused('registry_unauthorized', 'unauthorized');
        return { id: ID } as Image;
      },
      findImage: async () => null,
      nameImage: async (imageId: string) => void naming.push(`named ${imageId}`),
      [Symbol.asyncDispose]: async () => undefined,
    } as unknown as BareEngine;
    engine = fetchingImages(bare, {
      davitId: 'abcdefgh',
      own: {
        host: () => 'localhost:1',
        readImages: async () => ({ images: [], isComplete: true }),
        openBlob: () => Promise.reject(new Error('there is none')),
      },
      possession: { isKnownBlob: () => true, isKnownImage: () => true, remember: () => undefined },
      isBroughtHere: () => true,
      recordName: (_, imageId) => void naming.push(`recorded ${imageId}`),
      containers: '10.208.0.0/12',
      privateHosts: () => [registry.host],
      isOpen: () => false,
      port: { remembered: () => null, remember: () => undefined },
    });
  });
  afterEach(async () => {
    await engine[Symbol.asyncDispose]();
    await registry[Symbol.asyncDispose]();
  });

  const pull = () => engine.pullImage(`${registry.host}/acme/web:v1`, null, patience());

  it('is retried if a joined download of another pull fails', async () => {
    failures = 2;
    assert.equal((await pull()).id, ID);
  });

  it('records the name of the image before naming the image in the engine', async () => {
    await pull();
    assert.deepEqual(naming, [`recorded ${ID}`, `named ${ID}`]);
  });

  it('fails with PullRefused after three attempts', async () => {
    failures = 10;
    await assert.rejects(pull(), PullRefused);
    assert.equal(pulls, 3);
  });
});
