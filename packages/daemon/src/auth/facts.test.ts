import assert from 'node:assert/strict';
import type { IncomingHttpHeaders } from 'node:http';
import { describe, it } from 'node:test';
import { sessionCookie, sessionToken } from './cookie.ts';
import { addressGroup, addressNetwork, callerAddress, isSecure, type RequestFacts } from './facts.ts';
import { demandSameOrigin, refuseCrossOrigin } from './same-origin.ts';

function facts(headers: IncomingHttpHeaders, peer = '127.0.0.1'): RequestFacts {
  return { method: 'POST', headers, rawHeaders: [], peer, local: false };
}

describe('forwarded headers of a proxy', () => {
  it('are trusted from the local proxy, with the last value in effect', () => {
    const headers = { 'x-forwarded-proto': 'http, https', 'x-forwarded-for': '1.1.1.1, 203.0.113.7' };
    assert.equal(isSecure(facts(headers)), true);
    assert.equal(callerAddress(facts(headers)), '203.0.113.7');
  });

  it('are ignored if the request does not come from loopback', () => {
    const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '203.0.113.7' };
    assert.equal(isSecure(facts(headers, '198.51.100.9')), false);
    assert.equal(callerAddress(facts(headers, '198.51.100.9')), '198.51.100.9');
  });

  it('do not change the caller’s address if the value is not an address', () => {
    assert.equal(callerAddress(facts({ 'x-forwarded-for': 'unknown' })), '127.0.0.1');
  });
});

describe('the session cookie', () => {
  const tls = { 'x-forwarded-proto': 'https' };

  it('has the __Host- prefix and the Secure attribute only under TLS', () => {
    const expected = '__Host-davit_session=t; Path=/; Max-Age=60; HttpOnly; SameSite=Lax; Secure';
    assert.equal(sessionCookie(facts(tls), 't', 60), expected);
    assert.equal(sessionCookie(facts({}), 't', 60), 'davit_session=t; Path=/; Max-Age=60; HttpOnly; SameSite=Lax');
  });

  it('is read under the cookie name that matches the connection’s protocol', () => {
    const cookie = 'a=b; davit_session=plain;__Host-davit_session=tls';
    assert.equal(sessionToken(facts({ cookie })), 'plain');
    assert.equal(sessionToken(facts({ ...tls, cookie })), 'tls');
  });

  it('is ignored if characters other than spaces and tabs precede its name', () => {
    for (const blank of ['', ' ', '\t', ' \t '])
      assert.equal(sessionToken(facts({ ...tls, cookie: `a=b;${blank}__Host-davit_session=t` })), 't');
    // A browser protects only `__Host-davit_session`, so any site of the domain can set these cookies.
    for (const blank of ['\xa0', '\x0b', '\x0c', '\ufeff', '\u2028', ' \xa0', '\xa0 '])
      assert.equal(sessionToken(facts({ ...tls, cookie: `a=b;${blank}__Host-davit_session=t` })), undefined);
  });

  it('is ignored if the request contains two session cookies', () => {
    assert.equal(sessionToken(facts({ cookie: 'davit_session=a; davit_session=b' })), undefined);
  });
});

describe('a write request with a cookie', () => {
  const host = 'davit.test';

  it('passes if the browser reports the same origin', () => {
    demandSameOrigin(facts({ host, 'sec-fetch-site': 'same-origin' }));
    demandSameOrigin(facts({ host, origin: 'http://davit.test' }));
    demandSameOrigin(facts({ host, origin: 'https://davit.test', 'x-forwarded-proto': 'https' }));
  });

  const refused: IncomingHttpHeaders[] = [
    {},
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'none' },
    { 'sec-fetch-site': 'cross-site', origin: 'http://davit.test' },
    { origin: 'null' },
    { origin: 'http://evil.test' },
    { origin: 'https://davit.test' },
    { origin: 'http://davit.test:8080' },
    { origin: 'http://davit.test.evil.test' },
  ];
  for (const headers of refused) {
    it(`is refused with the headers ${JSON.stringify(headers)}`, () => {
      assert.throws(() => demandSameOrigin(facts({ host, ...headers })), { code: 'cross_site' });
    });
  }

  it('is accepted for a login without an origin and refused with another origin', () => {
    refuseCrossOrigin(facts({ host }));
    assert.throws(() => refuseCrossOrigin(facts({ host, origin: 'http://evil.test' })), { code: 'cross_site' });
  });
});

describe('the network of an address', () => {
  const cases: [address: string, network: string, host: string][] = [
    ['192.0.2.77', '192.0.2.0/24', '192.0.2.77'],
    ['::ffff:192.0.2.77', '192.0.2.0/24', '192.0.2.77'],
    ['2001:db8:1:2ff:a:b:c:d', '2001:db8:1:200::/56', '2001:db8:1:2ff::/64'],
    ['2001:DB8:1:2FF::1', '2001:db8:1:200::/56', '2001:db8:1:2ff::/64'],
    ['2001:db8::1', '2001:db8:0:0::/56', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/56', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/56', 'fe80:0:0:0::/64'],
    ['local', 'local', 'local'],
  ];
  for (const [address, network, host] of cases) {
    it(`${address} belongs to network ${network} and to host group ${host}`, () => {
      assert.deepEqual([addressNetwork(address), addressGroup(address)], [network, host]);
    });
  }
});
