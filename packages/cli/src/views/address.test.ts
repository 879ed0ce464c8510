import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { App, AppDomain, Serving } from '@davit/api';
import { addressOf } from './address.ts';

type Host = { host: string; path?: string; redirect_to?: string; https?: AppDomain['https'] };

interface Around {
  port?: number | null;
  http?: number;
  https?: number;
  certificates?: Serving['certificates'];
}

function addressWith(domains: Host[], { port = 8080, http = 80, https = 443, certificates = [] }: Around = {}) {
  const all = domains.map((domain) => ({ path: null, redirect_to: null, https: 'auto', ...domain }));
  const app = { domains: all, port, suggested_host: 'web.production.shop.localhost' } as unknown as App;
  return addressOf(app, { ports: { http, https }, certificates });
}

test('addressOf prefers a host without a path or a redirect', () => {
  const path = { host: 'example.com', path: '/api' };
  const www = { host: 'www.example.com', redirect_to: 'example.com' };

  assert.equal(addressWith([path, www, { host: 'shop.example.com' }]), 'http://shop.example.com/');
  assert.equal(addressWith([www, path], { http: 8000 }), 'http://example.com:8000/api');
  assert.equal(addressWith([www]), 'http://web.production.shop.localhost/');
  assert.equal(addressWith([], { port: null }), null);
});

test('addressOf returns an https address if the host is served over HTTPS', () => {
  const shop = { host: 'shop.example.com' };
  const active = (...hosts: string[]) => [{ hosts, status: 'active' as const }];

  for (const certificates of [active('shop.example.com'), active('*.example.com')])
    assert.equal(addressWith([shop], { http: 8000, certificates }), 'https://shop.example.com/');
  const own = active('*.production.shop.localhost');
  assert.equal(addressWith([], { certificates: own, https: 8443 }), 'https://web.production.shop.localhost:8443/');
  assert.equal(addressWith([{ ...shop, https: 'only' }], { http: 8000 }), 'https://shop.example.com/');
});

test('addressOf ignores certificates that are not valid or do not cover the host', () => {
  const shop = { host: 'shop.example.com' };
  const expired = [{ hosts: ['shop.example.com'], status: 'expired' as const }];
  const other = [{ hosts: ['example.com'], status: 'active' as const }];

  for (const certificates of [expired, other])
    assert.equal(addressWith([shop], { certificates }), 'http://shop.example.com/');
});
