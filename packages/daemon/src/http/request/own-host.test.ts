import assert from 'node:assert/strict';
import { it } from 'node:test';
import { isInstanceHost } from './own-host.ts';

it('isInstanceHost accepts the instance’s own names, addresses and local names', () => {
  const own = [
    'davit.example',
    'DAVIT.example.',
    'davit.example:3000',
    'box.lan.example',
    'localhost',
    'app.localhost:80',
  ];
  const addresses = ['127.0.0.1', '192.168.1.5:3000', '[::1]', '[fe80::1]:3000', '::1'];
  const undotted = ['box', 'box:3000', 'box.local', 'box.corp.internal'];
  for (const host of [...own, ...addresses, ...undotted]) {
    assert.equal(isInstanceHost(host, 'davit.example', 'box.lan.example'), true, host);
  }
});

it('isInstanceHost refuses names of other domains and invalid names', () => {
  const others = [
    'evil.example',
    'davit.example.evil.example',
    'x.davit.example',
    'notdavit.example',
    '127.0.0.1.evil.example',
    '1.2.3',
    '',
    ':80',
    'a"b',
    "x'y",
    'x@y',
    '[::1',
    'box:port',
  ];
  for (const host of others) assert.equal(isInstanceHost(host, 'davit.example', 'box'), false, host);
  assert.equal(isInstanceHost(undefined, 'davit.example', 'box'), false);
});

it('isInstanceHost refuses the hosts of apps and of the registry', () => {
  for (const domain of ['localhost', 'corp.internal', 'davit.example']) {
    for (const host of ['web.production.shop', 'registry']) {
      assert.equal(isInstanceHost(`${host}.${domain}:3000`, domain, 'box'), false, `${host}.${domain}`);
    }
  }
});
