import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { demandReadable } from './manifest.ts';
import { RemoteProblem } from './problem.ts';

const TYPE = 'application/vnd.oci.image.manifest.v1+json';
const BLOB = `"digest":"sha256:${'0'.repeat(64)}","size":2`;
const INDEX = 'application/vnd.oci.image.index.v1+json';
const IMAGE = `"config":{${BLOB}},"layers":[{${BLOB}}]`;
const URLS = `{${BLOB},"urls":["http://10.0.0.1/x"]}`;

describe('demandReadable', () => {
  for (const text of [
    `{"config":{${BLOB}},"layers":[${URLS}]}`,
    `{"config":{${BLOB}},"layers":[${URLS.replace('urls', 'URLs')}]}`,
    `{"config":{${BLOB}},"layers":[${URLS.replace('urls', 'url\u017f')}]}`,
    `{${IMAGE},"Layers":[${URLS}]}`,
    `{"config":{${BLOB}},"layers":[${URLS}],"layers":[{}]}`,
    `{${IMAGE},"MediaType":"x","Manifests":[${URLS}]}`,
    `{"config":${URLS},"layers":[]}`,
    `{"config":{${BLOB}},"layers":[{"size":2}]}`,
    `{"config":{${BLOB}},"layers":[{${BLOB.replace('sha256:', 'sha256:../')}}]}`,
    `{"config":{${BLOB}},"layers":[{${BLOB.replace('2', '-2')}}]}`,
    `{"layers":[{${BLOB}}]}`,
    `{"config":{${BLOB}}}`,
    `{${IMAGE},"manifests":[{${BLOB}}]}`,
    `{${IMAGE},"manifests":[]}`,
    `{${IMAGE},"mediaType":"${INDEX}"}`,
    '[]',
    '{',
  ]) {
    it(`refuses ${text} as an invalid manifest`, () => {
      assert.throws(() => demandReadable(Buffer.from(text), TYPE), RemoteProblem);
    });
  }

  it('refuses a manifest with more layers than Docker can run', () => {
    const read = (count: number) => {
      const layers = Array.from({ length: count }, () => `{${BLOB}}`).join(',');
      return demandReadable(Buffer.from(`{"config":{${BLOB}},"layers":[${layers}]}`), TYPE);
    };
    assert.equal(read(127).image?.layers.length, 127);
    assert.throws(() => read(128), RemoteProblem);
  });

  for (const extra of [`,${IMAGE}`, `,"config":{${BLOB}}`, ',"layers":[]', ',"blobs":[]']) {
    it(`refuses an index with the additional content ${extra}`, () => {
      const read = (text: string) => demandReadable(Buffer.from(text), INDEX);
      assert.equal(read(`{"manifests":[{${BLOB}}]}`).manifests.length, 1);
      assert.throws(() => read(`{"manifests":[{${BLOB}}]${extra}}`), RemoteProblem);
      assert.throws(() => read('{"schemaVersion":2}'), RemoteProblem);
    });
  }

  for (const name of ['OS', 'o\u017f', 'Architecture', 'Os.Version', 'VARIANT'])
    it(`refuses an index with the ambiguous platform field ${name}`, () => {
      const text = `{"manifests":[{${BLOB},"platform":{"os":"windows","${name}":"linux"}}]}`;
      assert.throws(() => demandReadable(Buffer.from(text), INDEX), RemoteProblem);
    });

  it('accepts unknown fields and any names in annotations', () => {
    const text = `{"schemaVersion":2,"config":{${BLOB}},"layers":[{${BLOB},"annotations":{"URLs":"x"}}],"Extra":1}`;
    assert.equal(demandReadable(Buffer.from(text), TYPE).mediaType, TYPE);
  });
});
