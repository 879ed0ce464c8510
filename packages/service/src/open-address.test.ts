import assert from 'node:assert/strict';
import { networkInterfaces } from 'node:os';
import { describe, it } from 'node:test';
import { openAddresses, ownAddresses } from './open-address.ts';

const PUBLIC = ['93.184.215.14', '2a01:4f8::1'];

describe('openAddresses', () => {
  const interfaces = () => ({ eth0: [{ address: '93.184.215.99' }, { address: '2a01:4f8::99' }], down: undefined });
  const isOpen = openAddresses({ publicAddress: () => '93.184.215.77', interfaces });

  it('allows public IPv4 and IPv6 addresses', () => {
    for (const address of PUBLIC) assert.equal(isOpen(address), true, address);
  });

  it('refuses private, special and invalid addresses', () => {
    const refused = [
      ...['127.0.0.1', '127.1.2.3', '::1', '10.0.0.1', '172.16.0.1', '192.168.1.1', '169.254.169.254', 'fe80::1'],
      ...['0.0.0.0', '::', '100.64.0.1', 'fd00::1', '224.0.0.1', 'ff02::1', '255.255.255.255', '64:ff9b::7f00:1'],
      ...['::ffff:127.0.0.1', '::ffff:10.0.0.1', '::ffff:7f00:1', '2002:7f00:1::', '198.18.0.1', '192.0.2.1'],
      ...['', 'localhost', 'example.com'],
    ];
    for (const address of refused) assert.equal(isOpen(address), false, address);
  });

  it('refuses the server’s own interface and public addresses', () => {
    for (const address of ['93.184.215.99', '2a01:4f8::99', '93.184.215.77', '::ffff:93.184.215.99'])
      assert.equal(isOpen(address), false, address);
  });

  it('refuses the server’s public address in every notation', () => {
    for (const own of ['2A01:4F8:0:0::77', '2a01:04f8:0000::0077', '2a01:4f8::77']) {
      const rule = openAddresses({ publicAddress: () => own, interfaces: () => ({}) });
      assert.equal(rule('2a01:4f8::77'), false, own);
    }
  });

  it('reflects changes of the server’s public address', () => {
    let address: string | null = null;
    const rule = openAddresses({ publicAddress: () => address, interfaces: () => ({}) });
    assert.equal(rule('93.184.215.14'), true);
    address = '93.184.215.14';
    assert.equal(rule('93.184.215.14'), false);
  });

  it('compares with the system’s network interfaces by default', () => {
    const rule = openAddresses({ publicAddress: () => null });
    const own = Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address));
    assert.deepEqual(own.filter(rule), []);
    for (const address of PUBLIC) assert.equal(rule(address), true, address);
  });
});

describe('ownAddresses', () => {
  const addresses = ['127.0.0.1', '::1', '10.0.0.7', '169.254.1.1', 'fe80::1', '2a01:4f8::99'];
  const interfaces = () => ({ all: addresses.map((address) => ({ address })) });
  const isOwn = ownAddresses({ publicAddress: () => '93.184.215.77', interfaces });

  it('includes only server addresses reachable from other hosts', () => {
    for (const address of ['93.184.215.77', '10.0.0.7', '2a01:4f8:0::99']) assert.equal(isOwn(address), true, address);
    const others = [
      '127.0.0.1',
      '127.0.0.7',
      '::ffff:127.0.0.1',
      '::1',
      '169.254.1.1',
      'fe80::1',
      '10.0.0.8',
      'localhost',
    ];
    for (const address of others) assert.equal(isOwn(address), false, address);
  });
});
