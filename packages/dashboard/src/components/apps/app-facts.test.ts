import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { App } from '@davit/api';
import { addressOf, servingOf, wantedOf } from './app-facts.ts';

const INSTANCE = { ports: { http: 80, https: 443, registry: 5_000 }, domain: 'davit.example.com' };

function domain(more: object): App['domains'][number] {
  return { host: 'shop.example.com', path: null, redirect_to: null, ...more } as App['domains'][number];
}

test('counts only ready replicas as serving, and ready and down replicas as wanted', () => {
  const replica = (deployment: number, state: string) => ({ deployment, state }) as App['replicas'][number];
  const replicas = [replica(1, 'draining'), replica(2, 'ready'), replica(2, 'down'), replica(3, 'starting')];
  assert.deepEqual([servingOf({ replicas }), wantedOf({ replicas })], [1, 2]);
  assert.deepEqual([servingOf({ replicas: [] }), wantedOf({ replicas: [] })], [0, 0]);
});

test('prefers a domain without a path for the app URL and returns null for workers', () => {
  const app = { domains: [], port: 80, suggested_host: 'web.production.shop.localhost' };
  assert.equal(addressOf(app, INSTANCE, []), 'http://web.production.shop.localhost/');
  assert.equal(addressOf({ ...app, port: null }, INSTANCE, []), null);
  const domains = [
    domain({ redirect_to: 'https://x.example' }),
    domain({ path: '/api' }),
    domain({ host: 'b.example' }),
  ];
  assert.equal(addressOf({ ...app, domains }, INSTANCE, []), 'http://b.example/');
  assert.equal(addressOf({ ...app, domains: domains.slice(0, 2) }, INSTANCE, []), 'http://shop.example.com/api');
  const elsewhere = { ...INSTANCE, ports: { ...INSTANCE.ports, http: 8_080 } };
  assert.equal(addressOf(app, elsewhere, []), 'http://web.production.shop.localhost:8080/');
});

test('keeps the default host as the URL while the instance has only a local domain, unless a domain is set up', () => {
  const app = { domains: [domain({})], port: 80, suggested_host: 'web.production.shop.localhost' };
  const local = { ...INSTANCE, domain: 'localhost' };
  const active = [{ hosts: ['*.example.com'], status: 'active' as const }];
  assert.equal(addressOf(app, local, []), 'http://web.production.shop.localhost/');
  assert.equal(addressOf(app, local, active), 'https://shop.example.com/');
  assert.equal(addressOf(app, INSTANCE, []), 'http://shop.example.com/');
  assert.equal(addressOf({ ...app, port: null }, local, []), 'http://shop.example.com/');
  const domains = [domain({ host: 'shop.localhost' })];
  assert.equal(addressOf({ ...app, domains }, local, []), 'http://shop.localhost/');
});
