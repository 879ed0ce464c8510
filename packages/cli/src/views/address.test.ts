import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { App } from '@davit/api';
import { addressOf } from './address.ts';

type Host = { host: string; path?: string; redirect_to?: string };

function addressWith(domains: Host[], { port = 8080, http = 80 }: { port?: number | null; http?: number } = {}) {
  const all = domains.map((domain) => ({ path: null, redirect_to: null, ...domain }));
  const app = { domains: all, port, suggested_host: 'web.production.shop.localhost' } as unknown as App;
  return addressOf(app, { ports: { http, https: 443 } } as Parameters<typeof addressOf>[1]);
}

test('addressOf prefers a host without a path or a redirect', () => {
  const path = { host: 'example.com', path: '/api' };
  const www = { host: 'www.example.com', redirect_to: 'example.com' };

  assert.equal(addressWith([path, www, { host: 'shop.example.com' }]), 'http://shop.example.com/');
  assert.equal(addressWith([www, path], { http: 8000 }), 'http://example.com:8000/api');
  assert.equal(addressWith([www]), 'http://web.production.shop.localhost/');
  assert.equal(addressWith([], { port: null }), null);
});
