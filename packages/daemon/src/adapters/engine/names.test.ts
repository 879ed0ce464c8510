import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { canonicalReference } from '@davit/api';
import { EngineRefused } from './errors.ts';
import {
  assertDavitId,
  assertHostName,
  assertOwnName,
  gatewayRepository,
  heldBy,
  heldTag,
  proxyName,
} from './names.ts';

describe('engine names', () => {
  it('heldTag contains the deployment and heldBy reads the deployment back', () => {
    const tag = heldTag('abcd1234', 'acme/production/shop', 7);

    assert.equal(tag, 'davit-abcd1234/acme/production/shop:7');
    assert.equal(heldBy(tag), 7);
  });

  it('gatewayRepository returns a unique and valid name for each repository, however long', () => {
    const long = 'a'.repeat(240);
    const images = [
      ...[
        { host: 'docker.io', repository: 'library/nginx' },
        { host: 'localhost:5000', repository: 'nginx' },
      ],
      ...[
        { host: 'localhost', repository: '5000/nginx' },
        { host: 'r.example', repository: long },
      ],
      { host: 'r.example', repository: `${long}a` },
    ];
    const names = images.map((image) => gatewayRepository('abcd1234', image));

    assert.deepEqual(names.slice(0, 2), [
      'davit-abcd1234/docker.io/library/nginx',
      'davit-abcd1234/localhost_5000/nginx',
    ]);
    assert.equal(new Set(names).size, images.length);
    for (const name of names) assert.notEqual(canonicalReference(`localhost:65535/${name}`), null, name);
  });

  it('assertDavitId refuses an ID without exactly eight lower-case letters and digits', () => {
    for (const id of ['', 'short', 'ABCD1234', 'abcd-234', 'abcd12345'])
      assert.throws(() => assertDavitId(id), TypeError);
  });

  it('assertOwnName refuses names without the ID, long names and invalid characters', () => {
    assertOwnName('abcd1234', 'davit-abcd1234-1-1');
    assertOwnName('abcd1234', proxyName('abcd1234', 2));
    for (const name of ['davit-abcd1235-1-1', '/etc', 'davit-abcd1234-../x', `davit-abcd1234-${'1'.repeat(60)}`]) {
      assert.throws(() => assertOwnName('abcd1234', name), EngineRefused);
    }
  });

  it('assertHostName accepts lower-case host names and refuses invalid names', () => {
    assertHostName('shop.production.acme.internal');
    assertHostName('cubeship-acme-production-shop');
    assertHostName('my_service');
    for (const name of ['', '.', 'a.', 'Shop', '_a', '-a', 'a\nb', 'a '.repeat(2), `${'a'.repeat(64)}.internal`]) {
      assert.throws(() => assertHostName(name), EngineRefused);
    }
  });
});
