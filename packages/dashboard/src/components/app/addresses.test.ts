import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Domain } from '@davit/api';
import { addressesOf } from './addresses.ts';

const app = {
  port: 8080,
  suggested_host: 'web-production-shop.example.com',
  internal_host: 'web.internal',
  tcp_ports: [{ id: 1, container_port: 5432, host_port: 17_000 }],
};
const plain = { domain: 'example.com', ports: { http: 80, https: 443, registry: 5000 } };
const local = { domain: 'davit.test', ports: { http: 8080, https: 8443, registry: 5000 } };

function domain(
  fields: Partial<Domain>,
  status: Domain['certificate']['status'],
  problem: string | null = null,
): Domain {
  const certificate = { status, id: null, not_after: null, problem, next_try_at: null };
  const rest = { hsts: null, basic_auth: null, allow: [], rate_limit: null, headers: {} };
  const usual = { id: 1, host: 'shop.com', path: null, port: null, protocol: 'http', https: 'auto', redirect_to: null };
  return { ...usual, ...rest, maintenance: null, created_at: '', ...fields, certificate } as Domain;
}

const texts = (domains: Domain[], at: typeof plain, certificates: Parameters<typeof addressesOf>[2] = []) =>
  addressesOf(app, domains, certificates, at).map(({ text }) => text);

describe('the addresses of an app', () => {
  it('are shown with the ports of the instance', () => {
    assert.deepEqual(texts([], plain), [
      'http://web-production-shop.example.com/',
      'example.com:17000',
      'web.internal:8080',
    ]);
    assert.equal(texts([], local)[0], 'http://web-production-shop.example.com:8080/');
  });

  it('start with https if a certificate is active or HTTPS is required', () => {
    assert.equal(texts([domain({}, 'active')], local)[0], 'https://shop.com:8443/');
    assert.equal(texts([domain({ https: 'only' }, 'none')], plain)[0], 'https://shop.com/');
    assert.equal(texts([domain({ path: '/blog' }, 'failed')], plain)[0], 'http://shop.com/blog');
    const wildcard = [{ hosts: ['*.example.com'], status: 'active' as const }];
    assert.equal(texts([], plain, wildcard)[0], 'https://web-production-shop.example.com/');
  });

  it('include the server’s reason for a missing certificate', () => {
    const [first] = addressesOf(app, [domain({}, 'failed', 'DNS problem: NXDOMAIN.')], [], plain);
    assert.deepEqual([first?.note, first?.tone], ['DNS problem: NXDOMAIN.', 'error']);
  });

  it('of an app without a port include only the internal address', () => {
    const worker = { ...app, port: null, tcp_ports: [] };
    assert.deepEqual(
      addressesOf(worker, [], [], plain).map(({ text }) => text),
      ['web.internal'],
    );
  });
});
