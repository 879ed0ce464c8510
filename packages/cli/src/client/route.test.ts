import assert from 'node:assert/strict';
import { test } from 'node:test';
import { environmentOfProcess } from '../process/env.ts';
import { routeTo } from './route.ts';

const PROXY = 'http://proxy.example:3128';
const HTTPS = 'https://davit.example.com';

const proxyOf = (url: string, variables: Record<string, string>) => routeTo(url, environmentOfProcess(variables)).proxy;

test('routeTo uses the proxy of the scheme, and lower case takes precedence', () => {
  const other = 'http://other.example:1';
  assert.equal(proxyOf(HTTPS, {}), null);
  assert.equal(proxyOf(HTTPS, { HTTPS_PROXY: PROXY }), `${PROXY}/`);
  assert.equal(proxyOf(HTTPS, { HTTPS_PROXY: other, https_proxy: PROXY }), `${PROXY}/`);
  assert.equal(proxyOf(HTTPS, { HTTPS_PROXY: PROXY, https_proxy: '' }), `${PROXY}/`);
  assert.equal(proxyOf(HTTPS, { HTTP_PROXY: PROXY, http_proxy: PROXY }), null);
  assert.equal(proxyOf('http://davit.example.com', { HTTP_PROXY: PROXY }), `${PROXY}/`);
  assert.equal(proxyOf('http://davit.example.com', { HTTPS_PROXY: PROXY }), null);
  assert.equal(proxyOf(HTTPS, { HTTPS_PROXY: 'proxy.example:3128' }), `${PROXY}/`);
});

test('routeTo ignores HTTP_PROXY in a CGI program', () => {
  const cgi = { REQUEST_METHOD: 'GET', HTTP_PROXY: 'http://attacker.example' };
  assert.equal(proxyOf('http://davit.example.com', cgi), null);
  assert.equal(proxyOf('http://davit.example.com', { ...cgi, http_proxy: PROXY }), `${PROXY}/`);
});

test('routeTo never uses a proxy for loopback addresses', () => {
  for (const host of ['localhost', 'davit.localhost', '127.0.0.1:3000', '127.9.9.9', '[::1]:3000'])
    assert.equal(proxyOf(`http://${host}`, { HTTP_PROXY: PROXY }), null, host);
});

test('routeTo uses no proxy for the hosts in NO_PROXY', () => {
  const excepted: [string, string][] = [
    ['davit.example.com', '*'],
    ['davit.example.com', 'a.example, davit.example.com'],
    ['davit.example.com', 'DAVIT.example.com'],
    ['davit.example.com', 'example.com'],
    ['davit.example.com', '.example.com'],
    ['davit.example.com', '*.example.com'],
    ['davit.example.com', 'a.example davit.example.com.'],
    ['davit.example.com', 'davit.example.com:443'],
    ['davit.example.com:8443', 'example.com:8443'],
    ['10.1.2.3', '10.1.2.3'],
    ['10.1.2.3', '10.0.0.0/8'],
    ['[fd00::1]', 'fd00::1'],
    ['[fd00::1]:8443', '[fd00::1]:8443'],
    ['[fd00::1]', 'fd00::/8'],
    ['[fd00::1]', 'FD00:0:0::1'],
  ];
  for (const [host, list] of excepted) {
    assert.equal(proxyOf(`https://${host}`, { HTTPS_PROXY: PROXY, NO_PROXY: list }), null, `${host} in ${list}`);
  }
  const others: [string, string][] = [
    ['davit.example.com', 'vit.example.com'],
    ['davit.example.com', 'davit.example.com:8443'],
    ['davit.example.com', 'a.davit.example.com'],
    ['davit.example.com', ',,'],
    ['davit.example.com', '10.0.0.0/8'],
    ['10.1.2.3', '2.3'],
    ['10.1.2.3', '10.0.0.0/99'],
    ['10.1.2.3', '11.0.0.0/8'],
    ['10.1.2.3', 'fd00::/8'],
  ];
  for (const [host, list] of others) {
    assert.equal(proxyOf(`https://${host}`, { HTTPS_PROXY: PROXY, NO_PROXY: list }), `${PROXY}/`, `${host} in ${list}`);
  }
  const both = { HTTPS_PROXY: PROXY, NO_PROXY: 'davit.example.com', no_proxy: 'a.example' };
  assert.equal(proxyOf(HTTPS, both), `${PROXY}/`);
});

test('routeTo refuses an invalid proxy without showing its password', () => {
  for (const given of ['socks5://ada:secret@proxy.example:1080', 'http://ada:secret@:1', 'ftp://secret.example']) {
    assert.throws(
      () => proxyOf(HTTPS, { HTTPS_PROXY: given }),
      ({ message }: Error) => /^HTTPS_PROXY is not the address of a proxy/.test(message) && !/secret/.test(message),
      given,
    );
  }
});

test('routeTo uses SSL_CERT_FILE only for https addresses', () => {
  const environment = environmentOfProcess({ SSL_CERT_FILE: '/ca.pem' });
  assert.equal(routeTo(HTTPS, environment).authorities, '/ca.pem');
  assert.equal(routeTo('http://davit.example.com', environment).authorities, null);
});
