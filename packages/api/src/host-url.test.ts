import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hostUrl } from './host-url.ts';

const SERVING = {
  ports: { http: 80, https: 8443 },
  certificates: [{ hosts: ['*.example.com'], status: 'active' as const }],
};

test('the URL of a host starts with https only if the host has a certificate or refuses HTTP', () => {
  const url = (host: Parameters<typeof hostUrl>[0]) => hostUrl(host, SERVING);
  assert.equal(url({ host: 'shop.test' }), 'http://shop.test/');
  assert.equal(url({ host: 'shop.test', path: '/api', certificate: { status: 'none' } }), 'http://shop.test/api');
  assert.equal(url({ host: 'shop.test', certificate: { status: 'active' } }), 'https://shop.test:8443/');
  assert.equal(url({ host: 'shop.test', https: 'only' }), 'https://shop.test:8443/');
  assert.equal(url({ host: 'shop.example.com', https: 'auto' }), 'https://shop.example.com:8443/');
});

test('the URL of a host ignores certificates that are not active', () => {
  const certificates = [{ hosts: ['shop.test'], status: 'expired' as const }];
  assert.equal(hostUrl({ host: 'shop.test' }, { ...SERVING, certificates }), 'http://shop.test/');
});
