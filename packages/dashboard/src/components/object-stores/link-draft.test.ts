import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ObjectStoreLink, type ObjectStoreProvider } from '@davit/api';
import { connectionPatch, linkBody, missingInLink, newConnection, newLink, shows } from './link-draft.ts';

const AWS = { asks: ['region'], takes: ['endpoint'] } as Pick<ObjectStoreProvider, 'asks' | 'takes'>;
const GENERIC = { asks: ['endpoint', 'region'], takes: ['path_style'] } as Pick<ObjectStoreProvider, 'asks' | 'takes'>;
const KEYS = { accessKey: 'AKIA123', secretKey: 'wJalrXUtnFEMI' };

describe('linked object store draft', () => {
  it('omits fields not supported by the provider from the request', () => {
    const draft = { ...newLink('aws'), ...KEYS, name: 'media', region: 'eu-central-1', account: '0'.repeat(32) };
    const body = linkBody({ ...draft, pathStyle: true }, AWS);
    assert.deepEqual(body, {
      ...{ name: 'media', provider: 'aws', region: 'eu-central-1' },
      ...{ access_key: 'AKIA123', secret_key: 'wJalrXUtnFEMI' },
    });
    assert.ok(ObjectStoreLink.safeParse(body).success);
  });

  it('sends all completed fields in the request', () => {
    const draft = { ...newLink('generic'), ...KEYS, name: 'media', endpoint: ' https://s3.example.com ', region: 'x' };
    const body = linkBody({ ...draft, pathStyle: false, bucket: 'davit', project: 'shop' }, GENERIC);
    assert.deepEqual(
      [body.endpoint, body.path_style, body.bucket, body.project],
      ['https://s3.example.com', false, 'davit', 'shop'],
    );
  });

  it('reports a missing name, region or key', () => {
    const draft = { ...newLink('aws'), ...KEYS, name: 'media', region: 'eu-central-1' };
    assert.equal(missingInLink(draft, AWS), null);
    assert.match(missingInLink({ ...draft, name: '' }, AWS) ?? '', /name/);
    assert.match(missingInLink({ ...draft, region: '' }, AWS) ?? '', /region/);
    assert.match(missingInLink({ ...draft, secretKey: '' }, AWS) ?? '', /keys/);
  });

  it('shows only required and optional fields of the provider', () => {
    assert.deepEqual([shows(AWS, 'region'), shows(AWS, 'endpoint'), shows(AWS, 'account')], [true, true, false]);
  });

  it('sends only changed connection fields in an update', () => {
    const connection = { endpoint: 'https://s3.example.com', region: 'x', public_endpoint: null, bucket: 'davit' };
    const store = { ...connection, path_style: true };
    const draft = newConnection(store);
    assert.equal(connectionPatch(store, draft), null);
    assert.deepEqual(connectionPatch(store, { ...draft, publicEndpoint: ' https://files.example.com ', bucket: '' }), {
      ...{ public_endpoint: 'https://files.example.com', bucket: null },
    });
  });
});
