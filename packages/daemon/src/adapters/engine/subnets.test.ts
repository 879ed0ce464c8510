import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { EngineRefused } from './errors.ts';
import {
  addressNumber,
  assertMemberAddress,
  cidrRange,
  dottedAddress,
  dynamicRange,
  namesAddress,
  networkFromSubnet,
} from './subnets.ts';

describe('a subnet', () => {
  const network = networkFromSubnet('davit-abcd1234-e1', '10.208.3.0/24');

  it('has separate addresses for the gateway, names, instances and dynamic containers', () => {
    assert.deepEqual(network, {
      name: 'davit-abcd1234-e1',
      subnet: '10.208.3.0/24',
      gateway: '10.208.3.1',
      firstAddress: '10.208.3.10',
      lastAddress: '10.208.3.239',
    });
    assert.equal(namesAddress(network.subnet), '10.208.3.2');
    assert.equal(cidrRange(dynamicRange(network.subnet)).first, addressNumber(network.lastAddress) + 1);
  });

  it('allows only addresses of the instance range for an instance', () => {
    assertMemberAddress(network, '10.208.3.10');
    assertMemberAddress(network, '10.208.3.239');
    for (const address of ['10.208.3.9', '10.208.3.240', '10.208.4.10', '', 'localhost', '10.208.3.010.1', '::1']) {
      assert.throws(() => assertMemberAddress(network, address), EngineRefused);
    }
  });

  it('is converted to a number range and refused if invalid', () => {
    const { first, last } = cidrRange('10.208.0.0/12');

    assert.deepEqual([dottedAddress(first), dottedAddress(last)], ['10.208.0.0', '10.223.255.255']);
    for (const cidr of ['10.0.0.0', '10.0.0.0/33', 'x/8', '10.0.0/8', ''])
      assert.throws(() => cidrRange(cidr), TypeError);
  });
});
