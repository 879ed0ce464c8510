import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openAddresses } from '@davit/service';
import { ConnectionRules } from './connection-rules.ts';

const PUBLIC = '93.184.215.14';
const OWN = '93.184.215.99';
const CONTAINERS = '10.208.0.0/12';
const isOpen = openAddresses({ publicAddress: () => OWN, interfaces: () => ({}) });

function allows(url: string, address: string, privateHosts: string[] = []): boolean {
  const rules = new ConnectionRules({ privateHosts: () => privateHosts, isOpen, containers: CONTAINERS });
  return rules.ruleFor(new URL(url), true)(address);
}

describe('connection rules for other registries', () => {
  it('allow public addresses and refuse private addresses and the instance’s address', () => {
    assert.equal(allows('https://r.example/v2/', PUBLIC), true);
    assert.equal(allows('https://r.example/v2/', '2a01:4f8::1'), true);
    for (const address of ['127.0.0.1', '10.0.0.1', '169.254.169.254', OWN])
      assert.equal(allows('https://r.example/v2/', address), false, address);
  });

  it('allow a private address only for a listed host and its port', () => {
    const listed = ['registry.internal:5000', 'git.internal', 'localhost:5001', '10.1.1.1:5000'];
    for (const [url, address, expected] of [
      ['https://registry.internal:5000/v2/', '10.0.0.5', true],
      ['https://registry.internal:5000/v2/', '127.0.0.1', true],
      ['https://registry.internal:5001/v2/', '10.0.0.5', false],
      ['https://registry.internal/v2/', '10.0.0.5', false],
      ['https://git.internal/v2/', '10.0.0.5', true],
      ['https://git.internal:8443/v2/', '10.0.0.5', false],
      ['https://x.git.internal/v2/', '10.0.0.5', false],
      ['http://127.0.0.1:5001/v2/', '127.0.0.1', true],
      ['http://localhost:5001/v2/', '::1', true],
      ['https://evil.example:5001/v2/', '10.0.0.5', false],
      // An entry with an address applies to every host name with that address.
      ['https://any.example:5000/v2/', '10.1.1.1', true],
      ['https://any.example/v2/', '10.1.1.1', false],
    ] as const) {
      assert.equal(allows(url, address, listed), expected, `${url} at ${address}`);
    }
  });

  it('allow addresses of a listed network', () => {
    const listed = ['10.1.0.0/16', 'fd00:1::/32'];
    assert.equal(allows('https://r.example/v2/', '10.1.9.9', listed), true);
    assert.equal(allows('https://r.example:5000/v2/', 'fd00:1::9', listed), true);
    assert.equal(allows('https://r.example/v2/', '10.2.0.1', listed), false);
    assert.equal(allows('https://r.example/v2/', 'fd01::1', listed), false);
  });

  it('allow a container address only if the exact address is listed', () => {
    for (const address of ['10.208.0.1', '10.208.3.10', '10.223.255.254', '::ffff:10.208.3.10']) {
      for (const entry of ['10.0.0.0/8', '10.208.0.0/12', '10.208.3.0/24', '0.0.0.0/0', 'registry.internal'])
        assert.equal(allows('https://registry.internal/v2/', address, [entry]), false, `${address} by ${entry}`);
    }
    assert.equal(allows('https://r.example/v2/', '10.207.255.255', ['10.0.0.0/8']), true);
    assert.equal(allows('https://r.example/v2/', '10.224.0.0', ['10.0.0.0/8']), true);
    assert.equal(allows('https://10.208.3.10:5000/v2/', '10.208.3.10', ['10.208.3.10:5000']), true);
    assert.equal(allows('https://10.208.3.10:5001/v2/', '10.208.3.10', ['10.208.3.10:5000']), false);
  });

  it('refuse metadata services under a listed host name', () => {
    assert.equal(allows('https://registry.internal/v2/', '169.254.169.254', ['registry.internal']), false);
    assert.equal(allows('https://registry.internal/v2/', 'fe80::1', ['registry.internal']), false);
    assert.equal(allows('https://registry.internal/v2/', '169.254.9.9', ['169.254.0.0/16']), true);
  });

  it('allow plain HTTP on loopback and for entries with http', () => {
    const plain = (url: string, listed: string[] = []) =>
      new ConnectionRules({ privateHosts: () => listed, isOpen, containers: CONTAINERS }).allowsPlain(new URL(url));
    assert.equal(plain('http://localhost:5000'), true);
    assert.equal(plain('http://127.3.2.1:5000'), true);
    assert.equal(plain('http://10.0.0.1:5000', ['10.0.0.1:5000']), false);
    assert.equal(plain('http://10.0.0.1:5000', ['http://10.0.0.1:5000']), true);
    assert.equal(plain('http://10.0.0.1:5001', ['http://10.0.0.1:5000']), false);
  });
});
