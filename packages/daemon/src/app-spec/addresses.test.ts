import assert from 'node:assert/strict';
import test from 'node:test';
import { pickAddresses } from './addresses.ts';

const network = { firstAddress: '10.208.3.10', lastAddress: '10.208.3.13' };

test('pickAddresses continues after the last used address to delay reuse', () => {
  assert.deepEqual(pickAddresses(network, [], null, 2), ['10.208.3.10', '10.208.3.11']);
  assert.deepEqual(pickAddresses(network, ['10.208.3.11'], '10.208.3.11', 2), ['10.208.3.12', '10.208.3.13']);
});

test('pickAddresses wraps around to the first address and skips used addresses', () => {
  assert.deepEqual(pickAddresses(network, ['10.208.3.13', '10.208.3.10'], '10.208.3.13', 1), ['10.208.3.11']);
});

test('pickAddresses returns null if too few addresses are free', () => {
  assert.equal(pickAddresses(network, ['10.208.3.10', '10.208.3.11', '10.208.3.12'], null, 2), null);
});

test('pickAddresses ignores a last used address outside the network', () => {
  assert.deepEqual(pickAddresses(network, [], '10.208.9.12', 1), ['10.208.3.10']);
});
