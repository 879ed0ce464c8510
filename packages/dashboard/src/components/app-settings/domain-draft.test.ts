import assert from 'node:assert/strict';
import test from 'node:test';
import type { AppDomain } from '@davit/api';
import { createOf, draftOf, patchOf } from './domain-draft.ts';

const domain: AppDomain = {
  id: 1,
  host: 'shop.example.com',
  path: '/shop',
  port: 8080,
  protocol: 'http',
  https: 'auto',
  hsts: { max_age_s: 60, include_subdomains: false, preload: false },
  redirect_to: null,
  basic_auth: { users: ['anna', 'ben'] },
  allow: ['10.0.0.0/8'],
  rate_limit: { requests_per_minute: 60 },
  maintenance: null,
  headers: { 'x-frame-options': 'DENY' },
  created_at: '2026-01-01T00:00:00Z',
};
const draft = draftOf(domain);

test('a new domain is sent with its host and without default values', () => {
  assert.deepEqual(createOf({ ...draftOf(null), host: ' shop.example.com ' }), { host: 'shop.example.com' });
});

test('an unchanged domain produces an empty patch', () => {
  assert.deepEqual(patchOf(draft, domain), {});
});

test('emptied domain fields are removed by the patch', () => {
  const emptied = { ...draft, path: '', port: '', hsts: false, users: [], allow: '', rate: '', headers: '' };

  assert.deepEqual(patchOf(emptied, domain), {
    path: null,
    port: null,
    hsts: null,
    basic_auth: null,
    allow: [],
    rate_limit: null,
    headers: { 'x-frame-options': null },
  });
});

test('unchanged basic auth users keep their passwords without sending the passwords again', () => {
  const [anna] = draft.users;
  assert.ok(anna);
  const users = [anna, { name: 'cleo', password: 'pw', isThere: false }];

  assert.deepEqual(patchOf({ ...draft, users }, domain), { basic_auth: { users: { ben: null, cleo: 'pw' } } });
  const changed = [{ ...anna, password: 'new' }, ...draft.users.slice(1)];
  assert.deepEqual(patchOf({ ...draft, users: changed }, domain), { basic_auth: { users: { anna: 'new' } } });
});

test('headers are parsed from lines, and removed headers are sent as null', () => {
  assert.deepEqual(patchOf({ ...draft, headers: 'X-Robots-Tag: noindex, x: y\nServer:' }, domain), {
    headers: { 'x-frame-options': null, 'x-robots-tag': 'noindex, x: y', server: '' },
  });
});

test('invalid domain values are sent unchanged', () => {
  assert.deepEqual(patchOf({ ...draft, port: 'web', rate: 'many' }, domain), {
    port: 'web',
    rate_limit: { requests_per_minute: 'many' },
  });
});
